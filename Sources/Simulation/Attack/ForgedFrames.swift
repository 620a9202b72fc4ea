import Emulator
import FobBase
import WireProtocol

/// Makes frames without a key.
struct ForgedFrames {
  let tap: WireTap
  /// In whose name he speaks.
  let device: DeviceID
  let now: Instant

  func frames(_ forgery: Forgery, _ random: inout SplitMix64) -> [[UInt8]] {
    switch forgery {
    case .click:
      let (press, release) = click(&random)
      return [wire(EventRecord(press), &random), wire(EventRecord(release), &random)]
    default: return [frame(forgery, &random)]
    }
  }

  private func frame(_ forgery: Forgery, _ random: inout SplitMix64) -> [UInt8] {
    switch forgery {
    case .ack: wire(ack(&random), &random)
    case .calm: wire(indicate(.idle, &random), &random)
    case .help: wire(indicate(.accepted, &random), &random)
    case .ledSet: wire(LEDSet(state: .idle, detail: 0, duration: 60_000), &random)
    case .config: wire(Config(key: .debounce, value: 50), &random)
    case .hostHello:
      wire(
        Hello(
          role: .host, session: UInt32(truncatingIfNeeded: random.next()) | 1,
          software: SoftwareVersion(major: 0, minor: 1, patch: 0)), &random)
    case .challenge:
      wire(Challenge(session: tap.hostSession, hostNonce: random.next()), &random)
    case .unpair: wire(Unpair(session: tap.hostSession), &random)
    default: frameOfDevice(forgery, &random)
    }
  }

  private func frameOfDevice(_ forgery: Forgery, _ random: inout SplitMix64) -> [UInt8] {
    switch forgery {
    case .press, .click: wire(EventRecord(event(.pressed, &random)), &random)
    case .release: wire(EventRecord(release(&random)), &random)
    case .fault: wire(EventRecord(event(.fault, &random)), &random)
    case .heartbeat: wire(heartbeat, &random)
    case .position: wire(PositionFix(), &random)
    case .deviceHello: wire(hello(of: device, &random), &random)
    case .strangerHello: wire(hello(of: DeviceID(rawValue: random.next()), &random), &random)
    default:
      wire(
        Proof(
          session: tap.hostSession, bootCounter: tap.hello?.bootCounter ?? 1,
          bootNonce: tap.hello?.bootNonce ?? 1, number: 1, clock: tap.sealClock,
          tag: random.next()), &random)
    }
  }

  /// A press with the number of one that he has read, made somewhat later.
  func twin(of identity: EventIdentity, _ random: inout SplitMix64) -> [UInt8] {
    var twin = identity
    twin.clock &+= 1 + random.next() % 50_000
    return wire(EventRecord(twin), &random)
  }

  // MARK: Messages

  private func ack(_ random: inout SplitMix64) -> EventAck {
    guard let event = tap.events.randomElement(using: &random) else {
      return EventAck(event(.pressed, &random))
    }
    return EventAck(event)
  }

  private func indicate(_ state: ShownState, _ random: inout SplitMix64) -> Indicate {
    Indicate(
      session: tap.hostSession, incident: random.next(), revision: tap.revision &+ 1_000,
      state: state, sounder: false, lease: 60_000)
  }

  private var heartbeat: Heartbeat {
    var beat = Heartbeat()
    beat.uptime = tap.clock(at: now) &+ 1
    beat.millivolts = 6_660
    return beat
  }

  private func hello(of device: DeviceID, _ random: inout SplitMix64) -> Hello {
    let sessions = [0, tap.hostSession, UInt32(truncatingIfNeeded: random.next())]
    var hello = Hello(
      role: .device, session: sessions.randomElement(using: &random)!,
      software: SoftwareVersion(major: 0, minor: 1, patch: 0))
    hello.deviceID = device
    hello.bootCounter = tap.hello?.bootCounter ?? 1
    hello.bootNonce =
      Bool.random(using: &random)
      ? tap.hello?.bootNonce ?? 1 : UInt32(truncatingIfNeeded: random.next())
    return hello
  }

  /// An event behind the last one, or with any number; now, or with any clock.
  private func event(_ kind: EventKind, _ random: inout SplitMix64) -> EventIdentity {
    let last = tap.events.last(where: { $0.deviceID == device })
    let boot = last?.number.boot ?? tap.hello?.bootCounter ?? 1
    var number = EventNumber(boot: boot, n: (last?.number.n ?? 0) &+ 1)
    if Int.random(in: 0..<4, using: &random) == 0 {
      number = EventNumber(
        boot: boot &+ UInt32.random(in: 0...3, using: &random), n: UInt32.max / 2)
    }
    var clock = tap.clock(at: now)
    if Int.random(in: 0..<4, using: &random) == 0 {
      clock = UInt64.random(in: 0...(clock &+ 60_000_000), using: &random)
    }
    return EventIdentity(
      deviceID: device, number: number, kind: kind, clock: clock,
      bootNonce: last?.bootNonce ?? tap.hello?.bootNonce ?? 1)
  }

  private func click(_ random: inout SplitMix64) -> (EventIdentity, EventIdentity) {
    let press = event(.pressed, &random)
    return (press, Self.release(press))
  }

  /// The release of the last press, a tenth of a second later.
  private func release(_ random: inout SplitMix64) -> EventIdentity {
    let press = tap.events.last { $0.kind == .pressed && $0.deviceID == device }
    return Self.release(press ?? event(.pressed, &random))
  }

  private static func release(_ press: EventIdentity) -> EventIdentity {
    EventIdentity(
      deviceID: press.deviceID,
      number: EventNumber(boot: press.number.boot, n: press.number.n &+ 1), kind: .released,
      clock: press.clock &+ 100_000, bootNonce: press.bootNonce)
  }

  // MARK: Frames

  /// A frame that is not sealed, or, in one of two, with a tag that he has guessed.
  private func wire<P: Payload>(_ message: P, _ random: inout SplitMix64) -> [UInt8] {
    let way: WireWay = P.type.isOfHost ? .toDevice : .toHost
    var body = FrameBody(message, sequence: tap.sequence(way) &+ 1).withBytes { Array($0) }
    let isGuessed = Bool.random(using: &random)
    let tag = random.next()
    if isGuessed, P.type != .hello, P.type != .challenge, P.type != .proof {
      let counter = P.type == .event ? 0 : tap.counter(way) &+ 1
      body[0] |= 8
      body += Self.little(tap.sealClock) + Self.little(counter) + Self.little(tag)
    }
    return Self.wire(body)
  }

  /// - Parameter body: without its CRC.
  static func wire(_ body: [UInt8]) -> [UInt8] {
    body.withUnsafeBytes { WireFrame(FrameBody(raw: $0)).withBytes { Array($0) } }
  }

  /// The same frame without what seals it.
  static func stripped(_ frame: WireTap.Frame) -> [UInt8] {
    guard frame.isSealed else { return frame.bytes }
    var body = Array(frame.body.dropLast(SealTrailer.size))
    body[0] &= ~8
    return wire(body)
  }

  private static func little<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}

extension MessageType {
  /// Only a host says it. HELLO is said by both.
  fileprivate var isOfHost: Bool {
    switch self {
    case .eventAck, .indicate, .ledSet, .config, .challenge, .unpair: true
    default: false
    }
  }
}
