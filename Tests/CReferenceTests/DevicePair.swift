import FobBase
import TestSupport
import WireProtocol

@testable import Firmware

/// Both devices on boards to which the same things happen.
struct DevicePair {
  var random: SeededGenerator
  let swift: Bench
  let c = CBench()
  private(set) var ms: Int64 = 0
  private(set) var boots = 1
  private(set) var frames = 0
  private(set) var session: UInt32 = 0
  /// A host that knows the key, once it was made.
  var host = SealingHost()
  private var revision: UInt32 = 0
  private var seen: [EventIdentity] = []
  /// What both have sent since this was last emptied.
  var heard: [DeviceFrame] = []

  /// - Parameters:
  ///   - isHeld: the button is held while the power comes, and goes on being so.
  ///   - hasParts: the boards have a battery and a GPS receiver.
  init(seed: UInt64, isHeld: Bool = false, hasParts: Bool = true) {
    random = SeededGenerator(seed: seed)
    let millivolts = BatteryGauge.millivolts(percent: 87)
    c.battery = (millivolts, BatteryGauge.percent(millivolts))
    (c.hasBattery, c.hasGPS) = (hasParts, hasParts)
    c.setContact(closed: isHeld)
    c.boot(1, nonce: 41)
    swift = Bench(.powerOn, nonce: 41) {
      $0.millivolts = millivolts
      ($0.hasBattery, $0.hasGPS) = (hasParts, hasParts)
      $0.resumeContact(closed: isHeld)
    }
  }

  /// One event and the time until the next. Nil, or what differs then.
  mutating func step() -> String? {
    happen()
    let pause: Int64 = Int.random(in: 0..<8, using: &random) == 0 ? 400 : 12
    return run(ms: .random(in: 0...pause, using: &random))
  }

  /// Nil, or what differs in the meantime.
  mutating func run(ms count: Int64) -> String? {
    let until = ms + count
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
    let sent = swift.take()
    let ours = sent.map { frame in
      let number = [UInt8(frame.sequence & 0xFF), UInt8(frame.sequence >> 8)]
      return [frame.head.rawValue, frame.rawType] + number + frame.payload
    }
    let theirs = c.takeSent()
    for event in sent.events { seen.append(event.identity) }
    seen = seen.suffix(80)
    for frame in sent { host.hear(frame) }
    heard = (heard + sent).suffix(200)
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

  mutating func happen() {
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

  func setContact(_ closed: Bool) {
    swift.board.setContact(closed: closed)
    c.setContact(closed: closed)
  }

  mutating func acknowledge() {
    guard let identity = seen.randomElement(using: &random) else { return }
    var ack = EventAck(identity)
    if Int.random(in: 0..<8, using: &random) == 0 { ack.identityCRC ^= 1 }
    say(ack)
  }

  mutating func newSession() -> UInt32 {
    session = .random(in: 1...9, using: &random)
    return session
  }

  mutating func indicate() {
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

  func setStore(fails: Bool) {
    swift.board.store.failsWrites = fails
    c.failsWrites = fails
  }

  func setReads(fail: Bool) {
    swift.board.store.failsReads = fail
    c.failsReads = fail
  }

  /// Turns a bit of both stores.
  func damageStore(at place: Int) {
    swift.board.store.overwrite(place..<place + 1, with: c.store[place] ^ 1)
    c.damageStore(at: place)
  }

  mutating func reboot() { reboot(.random(in: 0...5, using: &random)) }

  mutating func reboot(_ cause: UInt8) {
    boots += 1
    ms = 0
    swift.reboot(ResetCause(rawValue: cause)!, nonce: UInt32(40 + boots))
    c.boot(cause, nonce: UInt32(40 + boots))
  }

  private mutating func say<P: Payload>(_ payload: P) { send(host.frame(payload)) }

  private mutating func ask(_ type: MessageType) {
    send(host.frame(type))
  }

  /// A frame of any head, type and payload. No TRACE: C has no trace ring.
  private mutating func strange() {
    var body = (0..<Int.random(in: 4...60, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    if Bool.random(using: &random) { body[0] = 16 }
    if Bool.random(using: &random) { body[1] &= 0x57 }
    if body[1] == MessageType.trace.rawValue { body[1] = 0x52 }
    send(body.framed)
  }

  private mutating func noise() {
    send((0..<20).map { _ in UInt8.random(in: 0...255, using: &random) })
  }

  private func echo() { send(Array(c.wire.suffix(200))) }

  func send(_ bytes: [UInt8]) {
    swift.board.toDevice += bytes
    c.toDevice += bytes
  }
}
