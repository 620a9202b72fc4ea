import AlertCore
import Bridge
import Emulator
import FobBase
import SerialIO
import Storage
import Synchronization
import TestSupport
import Testing

/// Everything at once: what a deadlock or a race needs to show itself.
@Suite struct StressTests {
  @Test func `presses, plugging, user commands and questions at once lose nothing and end`() throws
  {
    let folder = try ScratchDirectory()
    let keychain = try EmulatedKeychain.started(in: folder)
    defer { keychain.stop() }
    let bridgeRig = try BridgeRig(sinks: [try RecordingSink()], in: folder)
    let bridge = bridgeRig.bridge
    let pressed = Mutex<[EventNumber]>([])
    let end = BootClock.now() + .seconds(2)
    let bodies: [@Sendable () -> Void] = [
      { if let number = try? keychain.press() { pressed.withLock { $0.append(number) } } },
      {
        _ = try? keychain.perform(.unplug)
        _ = bridge.status
        _ = try? keychain.perform(.replug)
        try? keychain.wait(for: .linked)
      },
      {
        for userCommand: UserCommand in [.silence, .quit, .acknowledge("contact-1")] {
          _ = try? Waiting.answer { bridge.perform(userCommand, answer: $0) }
        }
      },
      {
        _ = try? Waiting.answer { bridge.disarm(pin: "2468", answer: $0) }
        _ = try? Waiting.answer { bridge.perform(.resume, answer: $0) }
      },
      { for _ in 0..<100 { _ = bridge.status.incident } },
    ]
    let threads = try bodies.map { body in
      try BlockingThread(name: "stress") { while BootClock.now() < end { body() } }
    }
    for thread in threads { #expect(thread.join(within: .seconds(15)), "a deadlock") }
    _ = try? keychain.perform(.replug)
    let numbers = pressed.withLock { $0 }
    for number in numbers { try keychain.wait(for: .acked(number)) }
    #expect(!numbers.isEmpty)
    #expect(Set(try bridgeRig.store.presses().map(\.event)) == Set(numbers.map(\.text)))
    #expect(try bridgeRig.store.presses().count == numbers.count)
  }
}
