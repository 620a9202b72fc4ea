import AlertCore
import Bridge
import FobBase
import Glibc
import SerialIO
import Storage
import Synchronization
import TestSupport
import Testing
import WireProtocol

/// Devices that misbehave at a real bridge: each harms itself alone.
@Suite struct DefectiveDeviceTests {
  private let folder: ScratchDirectory
  private let ill: RawDevice
  private let bridgeRig: BridgeRig

  init() throws {
    folder = try ScratchDirectory()
    ill = try RawDevice(in: folder, named: "ill")
    bridgeRig = try BridgeRig(["ill", "keychain"], sinks: [try RecordingSink()], in: folder)
  }

  @Test func `HELLO and TIME_RESP of different boots: few sessions, few rows, told in words`()
    throws
  {
    var hello = try ill.hear(Hello.self)
    let began = BootClock.now()
    var sessions = 1
    while sessions < 3 {
      try ill.say(Hello.answering(hello))
      let request = try ill.hear(TimeRequest.self)
      try ill.say(TimeResponse(to: request, receive: 5, send: 5, bootNonce: 666))
      for _ in 0..<200 {
        try ill.say(TimeResponse(to: request, receive: 5, send: 5, bootNonce: 666))
      }
      hello = try ill.hear(Hello.self)
      sessions += 1
    }
    // The second at once, the third a second behind it.
    #expect(BootClock.now() - began >= .milliseconds(900))
    let press = EventRecord.press(1)
    try ill.say(press)
    #expect(try ill.hear(EventAck.self) == EventAck(press.identity))
    #expect(bridgeRig.journal.count(.linkUp) <= 4)
    try bridgeRig.journal.wait("it is told in words") { !contradictions.isEmpty }
    #expect(contradictions.count == 1)
  }

  private var contradictions: [String] {
    bridgeRig.journal.notices.filter { $0.contains("contradict each other") }
  }

  @Test func `REJECTs, lights and positions without end are a few lines, and a press comes`()
    throws
  {
    try ill.say(Hello.answering(try ill.hear(Hello.self)))
    for n in 0..<2_000 {
      try ill.say(Reject(type: 0x11, reason: .unknownType, sequence: UInt16(n)))
      let light = LEDState(
        clock: 1, shown: n % 2 == 0 ? .idle : .sending, detail: 0, sounder: false, source: .own,
        session: 0, revision: 0)
      try ill.say(light)
      try ill.say(PositionFix(at: n))
      // Each light is answered by a question, and what nobody reads fills the line.
      if n % 20 == 19 { _ = try ill.hear() }
    }
    let press = EventRecord.press(1)
    try ill.say(press)
    #expect(try ill.hear(EventAck.self) == EventAck(press.identity))
    try bridgeRig.journal.wait(.committed)
    let rejected = bridgeRig.journal.notices.filter { $0.contains("did not understand") }
    #expect(!rejected.isEmpty && rejected.count <= 30)
    #expect(rejected.allSatisfy { $0.contains("did not understand EVENT_ACK") })
    #expect(bridgeRig.journal.lights.count < 1_000)
    #expect(bridgeRig.journal.all.count < 3_000)
  }

  /// What became of the neighbour's press, as the watchers are told.
  private final class Seen: Sendable {
    let decided = Mutex<Instant?>(nil)
    let durable = Mutex<Instant?>(nil)
  }

  @Test func `under a flood of presses on one line a neighbour's is decided and durable at once`()
    throws
  {
    let well = try RawDevice(in: folder)
    _ = try ill.hear(Hello.self)
    _ = try well.hear(Hello.self)
    let seen = Seen()
    let neighbour = DeviceID.bench(7).text
    bridgeRig.watch { event in
      guard case .auditEvent(let auditEvent) = event, auditEvent.device == neighbour else { return }
      switch auditEvent.name {
      case .pressAdded: seen.decided.withLock { $0 = $0 ?? BootClock.now() }
      case .committed: seen.durable.withLock { $0 = $0 ?? BootClock.now() }
      default: break
      }
    }
    var n: UInt32 = 0
    func flood() throws {
      for _ in 0..<16 {
        n += 1
        try ill.say(EventRecord.press(n, serial: 9, clock: UInt64(n)))
      }
    }
    for _ in 0..<300 { try flood() }
    let began = BootClock.now()
    try well.say(EventRecord.press(1, serial: 7))
    while seen.durable.withLock({ $0 }) == nil {
      try flood()
      try #require(BootClock.now() - began < .seconds(10), "the neighbour waits")
    }
    let decided = try #require(seen.decided.withLock { $0 }) - began
    let durable = try #require(seen.durable.withLock { $0 }) - began
    print("beside \(n) presses: decided after \(decided), durable after \(durable)")
    #expect(decided < .seconds(5), "far from a queue of \(n) presses")
    #expect(durable < .seconds(5))
    // Nothing of the flood that was decided is missing, and it is little.
    #expect(try bridgeRig.store.presses().count < 1_000)
  }
}

extension PositionFix {
  fileprivate init(at n: Int) {
    self.init()
    quality = .good
    latitude = Int32(n)
  }
}
