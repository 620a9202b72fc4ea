import AlertCore
import Bridge
import Emulator
import FobBase
import Foundation
import Glibc
import SerialIO
import Sinks
import Storage
import Synchronization
import TestSupport
import Testing

/// Many keychains and one bridge in this process, on unix sockets.
final class Fleet {
  private let folder: ScratchDirectory
  private let keychains: KeychainFleet
  private let bridge: AlertBridge
  private let pressed: Pressed
  private var subscriptions: [EventSubscription] = []
  let store: AlertStore

  /// Presses that a keychain has committed, as `serial << 32 | n`: room is taken beforehand, so
  /// that the test's own memory does not grow.
  private final class Pressed: Sendable {
    let numbers = Mutex<Set<UInt64>>([])
    let signal: EventSignal

    init() throws {
      signal = try EventSignal()
      numbers.withLock { $0.reserveCapacity(100_000) }
    }
  }

  private struct TakingSink: Sink {
    let name = "taking"

    func deliver(_ message: OutgoingMessage) {}
  }

  /// - Parameter mean: between two presses of one keychain.
  init(of count: Int, pressingEvery mean: Interval, seed: UInt64) throws {
    DescriptorLimit.raise()
    let folder = try ScratchDirectory()
    let pressed = try Pressed()
    let lines = (0..<count).map { DeviceSpec(.unix(path: folder.path("\($0)"))) }
    keychains = try KeychainFleet(
      lines.enumerated().map { index, line in
        EmulatorConfiguration(
          serial: UInt32(index), line: line,
          randomPresses: RandomPresses(every: mean, seed: seed &+ UInt64(index)))
      })
    store = try AlertStore(directory: folder.path("state"))
    bridge = try AlertBridge(account: BridgeRig.account, store: store, sinks: [TakingSink()]) {
      _ in
    }
    self.folder = folder
    self.pressed = pressed
    for (index, keychain) in keychains.keychains.enumerated() {
      subscriptions.append(
        try #require(keychain.subscribe { Self.note($0, of: UInt64(index), in: pressed) }))
    }
    try keychains.start()
    try bridge.start(lines)
  }

  deinit {
    bridge.stop()
    keychains.stop()
  }

  var presses: Set<UInt64> { pressed.numbers.withLock { $0 } }
  var pressCount: Int { pressed.numbers.withLock { $0.count } }

  /// Until something was pressed or acked, or until the deadline.
  func rest(until deadline: Instant) throws {
    _ = try Syscall.poll(pressed.signal.descriptor, for: POLLIN, until: deadline)
    pressed.signal.clear()
  }

  /// Entries and presses, once they are the same, or have not become so in 20 s. A finger that had
  /// begun goes on to press when the pressing was ended, so presses may still come; what is lost
  /// stays away for good.
  func settledEntries() throws -> (entries: [UInt64], presses: Set<UInt64>) {
    let deadline = BootClock.now() + .seconds(20)
    while true {
      let known = presses
      let entries = try entries()
      if Set(entries) == known || BootClock.now() >= deadline { return (entries, known) }
      try rest(until: min(deadline, BootClock.now() + .milliseconds(100)))
    }
  }

  /// Ends the pressing, and returns when every keychain has been acked all that it had.
  func settle() throws {
    for keychain in keychains.keychains { _ = try keychain.perform(.pressAtRandom(nil)) }
    let deadline = BootClock.now() + .seconds(60)
    for keychain in keychains.keychains {
      while true {
        let state = try keychain.state()
        if state.unacked == 0, !state.held { break }
        try #require(BootClock.now() < deadline, "\(state) is not acked all")
        try rest(until: min(deadline, BootClock.now() + .milliseconds(100)))
      }
    }
  }

  /// Entries of the store, in the form of `presses`; one that is there twice is there twice.
  func entries() throws -> [UInt64] {
    try store.presses().map { press in
      let device = try #require(UInt64(press.device, radix: 16))
      let number = try #require(EventNumber(text: press.event))
      return (device & 0xFFFF_FFFF) << 32 | UInt64(number.n)
    }
  }

  private static func note(_ event: EmulatorEvent, of index: UInt64, in pressed: Pressed) {
    if event.name == .committed, event.kind == "pressed", let number = event.eventNumber {
      pressed.numbers.withLock { _ = $0.insert(index << 32 | UInt64(number.n)) }
      pressed.signal.signal()
    } else if event.name == .acked {
      pressed.signal.signal()
    }
  }
}

/// What the kernel says of this process.
enum ProcessFigures {
  /// In bytes.
  static var resident: Int { kilobytes("VmRSS:") * 1_024 }
  static var threads: Int { kilobytes("Threads:") }

  private static func kilobytes(_ name: String) -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.dropFirst(name.count).split(whereSeparator: \.isWhitespace).first.flatMap {
      Int($0)
    } ?? 0
  }
}
