import FobBase
import TestSupport
import Testing
import WireProtocol

@testable import Firmware

/// The device in C beside the Swift keychain: the same events at the same milliseconds, the
/// same frames and the same bytes in the store.
struct DeviceComparisonTests {
  @Test(arguments: UInt64(1)...(Soak.isOn ? 400 : 8))
  func `C and Swift send the same frames`(_ seed: UInt64) {
    var pair = DevicePair(seed: seed)
    for _ in 0..<250 {
      if let difference = pair.step() {
        Issue.record("seed \(seed), at \(pair.ms) ms of boot \(pair.boots): \(difference)")
        return
      }
    }
    #expect(pair.frames > 60)
  }
}

/// Both devices on boards to which the same things happen.
private struct DevicePair {
  private var random: SeededGenerator
  private let swift: Bench
  private let c = CBench()
  private(set) var ms: Int64 = 0
  private(set) var boots = 1
  private(set) var frames = 0
  private var sequence: UInt16 = 0
  private var session: UInt32 = 0
  private var revision: UInt32 = 0
  private var seen: [EventIdentity] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    let millivolts = BatteryGauge.millivolts(percent: 87)
    c.battery = (millivolts, BatteryGauge.percent(millivolts))
    c.boot(1, nonce: 41)
    swift = Bench(.powerOn, nonce: 41) { $0.millivolts = millivolts }
  }

  /// One event and the time until the next. Nil, or what differs then.
  mutating func step() -> String? {
    happen()
    let pause: Int64 = Int.random(in: 0..<8, using: &random) == 0 ? 400 : 12
    let until = ms + .random(in: 0...pause, using: &random)
    while ms < until {
      ms += 1
      swift.run(until: .milliseconds(ms))
      c.run(until: UInt64(ms) * 1_000)
      if let difference = compare() { return difference }
    }
    return nil
  }

  /// The frames, and the bytes of the store.
  private mutating func compare() -> String? {
    let ours = swift.take().map { frame in
      let number = [UInt8(frame.sequence & 0xFF), UInt8(frame.sequence >> 8)]
      var payload = frame.payload
      // C does not know the seal, and says so by its capabilities.
      if frame.type == .hello { payload[4] = 0 }
      return [frame.head.rawValue, frame.rawType] + number + payload
    }
    let theirs = c.takeSent()
    for event in swift.sent.suffix(ours.count).compactMap(\.event) { seen.append(event.identity) }
    seen = seen.suffix(80)
    frames += ours.count
    let count = min(ours.count, theirs.count)
    if let at = (0..<count).first(where: { ours[$0] != theirs[$0] }) {
      return "Swift sent \(ours[at].hex), C \(theirs[at].hex)"
    }
    if ours.count != theirs.count {
      return "Swift sent \(ours[count...].map(\.hex)), C \(theirs[count...].map(\.hex)) more"
    }
    return swift.board.store.bytes == c.store ? nil : "the stores differ"
  }

  private mutating func happen() {
    switch Int.random(in: 0..<40, using: &random) {
    case 0..<14: setContact(!c.isClosed)
    case 14..<22: acknowledge()
    case 22: say(Hello(role: .host, session: newSession(), software: Keychain.software))
    case 23: say(TimeRequest(hostSend: random.next(), session: session))
    case 24..<27: indicate()
    case 27:
      say(LEDSet(state: .identify, detail: 0, duration: .random(in: 0...900, using: &random)))
    case 28: say(Config(key: .debounce, value: .random(in: 0...60, using: &random)))
    case 29: ask(.firmwareInfo)
    case 30: noise()
    case 31: setBattery(percent: .random(in: 0...100, using: &random))
    case 32, 33: setStore(fails: true)
    case 34, 35: setStore(fails: false)
    case 36: setReads(fail: Bool.random(using: &random))
    case 37: reboot()
    case 38: echo()
    default: strange()
    }
  }

  private func setContact(_ closed: Bool) {
    swift.board.setContact(closed: closed)
    c.setContact(closed: closed)
  }

  private mutating func acknowledge() {
    guard let identity = seen.randomElement(using: &random) else { return }
    var ack = EventAck(identity)
    if Int.random(in: 0..<8, using: &random) == 0 { ack.identityCRC ^= 1 }
    say(ack)
  }

  private mutating func newSession() -> UInt32 {
    session = .random(in: 1...9, using: &random)
    return session
  }

  private mutating func indicate() {
    revision = revision &+ .random(in: 0...2, using: &random)
    let isOld = Int.random(in: 0..<6, using: &random) == 0
    say(
      Indicate(
        session: Int.random(in: 0..<6, using: &random) == 0 ? 99 : session, incident: 7,
        revision: isOld ? revision / 2 : revision,
        state: ShownState(rawValue: .random(in: 0...10, using: &random))!,
        detail: .random(in: 0...(Bool.random(using: &random) ? 12 : 80), using: &random),
        sounder: Bool.random(using: &random),
        lease: .random(in: 0...900, using: &random)))
  }

  private func setBattery(percent: UInt8) {
    let millivolts = BatteryGauge.millivolts(percent: percent)
    swift.board.millivolts = millivolts
    c.battery = (millivolts, BatteryGauge.percent(millivolts))
  }

  private func setStore(fails: Bool) {
    swift.board.store.failsWrites = fails
    c.failsWrites = fails
  }

  private func setReads(fail: Bool) {
    swift.board.store.failsReads = fail
    c.failsReads = fail
  }

  private mutating func reboot() {
    let cause = UInt8.random(in: 0...5, using: &random)
    boots += 1
    ms = 0
    swift.reboot(ResetCause(rawValue: cause)!, nonce: UInt32(40 + boots))
    c.boot(cause, nonce: UInt32(40 + boots))
  }

  private mutating func say<P: Payload>(_ payload: P) {
    sequence &+= 1
    send(WireFrame(FrameBody(payload, sequence: sequence)).withBytes { Array($0) })
  }

  private mutating func ask(_ type: MessageType) {
    sequence &+= 1
    send(WireFrame(FrameBody(type: type, sequence: sequence)).withBytes { Array($0) })
  }

  /// A frame of any head, type and payload. No TRACE: C has no trace ring. None of pairing and
  /// proof (PROTOCOL.md, 15): C does not know them.
  private mutating func strange() {
    var body = (0..<Int.random(in: 4...60, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    if Bool.random(using: &random) { body[0] = 16 }
    if Bool.random(using: &random) { body[1] &= 0x53 }
    let unknown: [MessageType] = [.trace, .challenge, .proof, .pair, .pairResult, .unpair]
    if unknown.contains(where: { $0.rawValue == body[1] }) { body[1] = 0x52 }
    send(body.framed)
  }

  private mutating func noise() {
    send((0..<20).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  private func echo() { send(Array(c.wire.suffix(200))) }

  private func send(_ bytes: [UInt8]) {
    swift.board.toDevice += bytes
    c.toDevice += bytes
  }
}
