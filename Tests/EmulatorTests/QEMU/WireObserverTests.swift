import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import Emulator

/// What is learned of a keychain by reading along. None of it needs QEMU.
@Suite struct WireObserverTests {
  private let identity = EventIdentity(
    deviceID: .bench(7), number: EventNumber(boot: 3, n: 5), kind: .pressed, clock: 9,
    bootNonce: 1)

  @Test func `an event is new once, and acked once by an ack that fits`() {
    var seen = SeenEvents()
    let record = EventRecord(identity)
    let isNew = [seen.note(record), seen.note(record)]
    #expect(isNew == [true, false])
    #expect(seen.boot == 3 && seen.unackedCount == 1)
    let acks = [
      seen.note(EventAck(number: identity.number, identityCRC: 1)), seen.note(EventAck(identity)),
      seen.note(EventAck(identity)),
    ]
    #expect(acks == [nil, identity.number, nil])
    let isNewAgain = seen.note(record)
    #expect(!isNewAgain && seen.unackedCount == 0, "sent again before it read the ack")
  }

  @Test func `an event of an earlier boot is no news, and may be acked`() {
    var seen = SeenEvents()
    var record = EventRecord(identity)
    record.flags.insert(.replayed)
    let isNew = seen.note(record)
    #expect(!isNew && seen.boot == nil && seen.unackedCount == 1)
    let acked = seen.note(EventAck(identity))
    #expect(acked == identity.number)
  }

  @Test(arguments: 0..<64)
  func `no bytes make the observer trap`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var observer = WireObserver()
    for _ in 0..<200 {
      var bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      _ = QTestAnswer(bytes, at: Instant(microseconds: 0))
      // Whole frames of every type and length, so that the payloads are reached.
      var body = FrameBody(
        type: MessageType(rawValue: UInt8.random(in: 0...0x51, using: &random)) ?? .event,
        sequence: 0)
      for _ in 0..<Int.random(in: 0...70, using: &random) {
        body.append(UInt8.random(in: 0...255, using: &random))
      }
      WireFrame(body, afterSilence: true).withBytes { bytes += $0 }
      bytes.withUnsafeBytes { bytes in
        observer.sent(bytes) { _ in }
        observer.received(bytes) { _ in }
      }
    }
    #expect(observer.hasSpoken)
  }

  @Test func `lines of the qtest server are read, and others are none`() {
    let now = Instant(microseconds: 7)
    func read(_ text: String) -> QTestAnswer? { QTestAnswer(Array(text.utf8), at: now) }
    #expect(read("OK") == .done("") && read("OK 0x2") == .done("0x2"))
    #expect(read("FAIL Unknown command 'x'") == .failed("Unknown command 'x'"))
    #expect(
      read("IRQ raise 0") == .interrupt(QTestInterrupt(line: 0, isRaised: true, at: now)))
    for text in ["", "IRQ", "IRQ raise", "IRQ raise x", "IRQ up 0", "hello"] {
      #expect(read(text) == nil, "\(text)")
    }
  }
}
