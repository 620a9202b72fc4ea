import Firmware
import FobBase
import NMEA
import WireProtocol

/// Writes a script while the emulator plays it: the host's frames depend on what it has received.
struct LockstepAuthor {
  private static let life = 2_500
  private static let maxGrant = 400

  private var random: SplitMix64
  private var emulator = LockstepEmulator()
  private var host: LockstepHost
  private var gps: GeneratedGPS
  private var clock = 0
  private var isClosed = false
  private var millivolts: UInt16 = 3_900
  private var steps: [LockstepScript.Step] = []

  init(seed: UInt64) {
    random = SplitMix64(state: seed)
    host = LockstepHost(seed: random.next())
    let latitude = Int32.random(in: -600_000_000...600_000_000, using: &random)
    let longitude = Int32.random(in: -1_700_000_000...1_700_000_000, using: &random)
    guard let place = Coordinates(latitude: latitude, longitude: longitude) else {
      preconditionFailure("these are on the globe")
    }
    gps = GeneratedGPS(
      GPSTrack(.heading(from: place, course: 40, turn: 3)), utc: 1_800_000_000_000_000,
      at: Instant(microseconds: 0))
  }

  /// Writes the steps from a boot to a power cut, 2.5 s and a little more.
  mutating func writeLife() -> [LockstepScript.Step] {
    steps = []
    clock = 0
    isClosed = Int.random(in: 0..<8, using: &random) == 0
    let causes: [ResetCause] = [.powerOn, .resetPin, .watchdog, .brownOut, .software]
    carryOut(
      .boot(
        LockstepBoot(
          nonce: .random(in: 1 ... .max, using: &random),
          cause: causes.randomElement(using: &random)!, isClosed: isClosed,
          millivolts: millivolts)))
    while clock < Self.life {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3: press()
      case 4...6: converse()
      case 7: moveBattery()
      case 8: hearSatellites()
      default: wait(.random(in: 1...300, using: &random))
      }
    }
    return steps
  }

  /// A contact bounces, is held for long or for too short, and bounces again.
  private mutating func press() {
    setContact(bounces: .random(in: 0...3, using: &random), closed: !isClosed)
    let holds = [3, 12, 19, 20, 21, 45, 120, 450, 700, 1_600]
    wait(holds.randomElement(using: &random)!)
    if Int.random(in: 0..<6, using: &random) > 0 {
      setContact(bounces: .random(in: 0...3, using: &random), closed: !isClosed)
    }
    wait(.random(in: 1...150, using: &random))
  }

  private mutating func setContact(bounces: Int, closed: Bool) {
    for _ in 0..<bounces {
      isClosed = closed
      wait(.random(in: 1...4, using: &random))
      isClosed = !closed
      wait(.random(in: 1...3, using: &random))
    }
    isClosed = closed
    wait(1)
  }

  private mutating func converse() {
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      wait(.random(in: 1...60, using: &random), link: host.say(clock: clock))
    }
  }

  private mutating func moveBattery() {
    millivolts = .random(in: 3_250...4_250, using: &random)
    wait(.random(in: 1...Self.maxGrant, using: &random))
  }

  /// An epoch of sentences, in pieces as a UART brings them; some are damaged.
  private mutating func hearSatellites() {
    var text = gps.sentences(at: Instant(microseconds: Int64(clock) * 1_000 + 1_000_000))
    if Int.random(in: 0..<6, using: &random) == 0 {
      text[Int.random(in: 0..<text.count, using: &random)] ^= 0x11
    }
    while !text.isEmpty {
      let piece = Int.random(in: 1...LockstepGrant.maxGPS, using: &random)
      wait(1, gps: Array(text.prefix(piece)))
      text.removeFirst(min(piece, text.count))
    }
  }

  private mutating func wait(_ milliseconds: Int, link: [UInt8] = [], gps: [UInt8] = []) {
    carryOut(
      .grant(
        LockstepGrant(
          milliseconds: UInt16(milliseconds), link: link, gps: gps, isClosed: isClosed,
          millivolts: millivolts)))
    clock += milliseconds
  }

  private mutating func carryOut(_ order: LockstepOrder) {
    let sent = emulator.carryOut(order)
    host.hear(sent)
    steps.append(LockstepScript.Step(at: clock, order: order, sent: sent))
  }
}

/// Orders of lockstep, each with the bytes that the firmware in this process sent to the host.
package struct LockstepScript: Equatable, Sendable {
  /// One order and the bytes that it brings.
  package struct Step: Equatable, Sendable {
    /// Milliseconds since the boot, before the order.
    package var at: Int
    /// A boot or a grant of time.
    package var order: LockstepOrder
    /// What the emulator sent to the host at this order.
    package var sent: [UInt8]
  }

  /// Decides the whole script.
  package let seed: UInt64
  /// In the order in which they are carried out.
  package private(set) var steps: [Step] = []

  /// Writes the script; the same seed gives the same. It has two boots of a keychain with a finger,
  /// a battery, a GPS receiver, and a host that asks and acks in frames that are sometimes damaged.
  package init(seed: UInt64) {
    self.seed = seed
    var author = LockstepAuthor(seed: seed)
    for _ in 0..<2 { steps += author.writeLife() }
  }

  /// How many bytes all steps send to the host.
  package var bytes: Int { steps.reduce(0) { $0 + $1.sent.count } }

  /// Carries out every order on a target and compares what it sends.
  /// - Returns: the first difference, in one line; nil if there is none.
  package func difference<Target: LockstepTarget>(
    on target: inout Target
  ) throws -> String? {
    for (index, step) in steps.enumerated() {
      let sent = try target.carryOut(step.order)
      guard sent != step.sent else { continue }
      let same = zip(sent, step.sent).prefix { $0 == $1 }.count
      return "seed \(seed), step \(index), \(step.at) ms after the boot, byte \(same):"
        + " the emulator sent \(Hex.text(step.sent)), the other \(Hex.text(sent))"
    }
    return nil
  }
}

/// A host that sends frames of all kinds, and acks received events at random times.
struct LockstepHost {
  private var random: SplitMix64
  private var decoder = FrameDecoder()
  private var heard: [EventIdentity] = []
  private var session: UInt32 = 0
  private var revision: UInt32 = 0
  private var sequence: UInt16 = 0

  init(seed: UInt64) { random = SplitMix64(state: seed) }

  mutating func hear(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var chunk = UnsafeRawBufferPointer(bytes)
      while let outcome = decoder.next(&chunk) {
        guard outcome == .frame else { continue }
        let identity: EventIdentity? = decoder.withBody { body in
          guard body.count >= 4 + EventIdentity.size, body[1] == MessageType.event.rawValue
          else { return nil }
          return EventIdentity(UnsafeRawBufferPointer(rebasing: body[4...]))
        }
        if let identity, !heard.contains(identity) { heard.append(identity) }
      }
    }
  }

  /// A frame, sometimes damaged or of an unknown kind, shorter than a board's queue.
  mutating func say(clock: Int) -> [UInt8] {
    var bytes = frame(clock: clock)
    switch Int.random(in: 0..<20, using: &random) {
    case 0: bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1 << 3
    case 1: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
    case 2: bytes = Array("AT\r\n".utf8) + bytes
    default: break
    }
    return bytes
  }

  private mutating func frame(clock: Int) -> [UInt8] {
    switch Int.random(in: 0..<14, using: &random) {
    case 0...1:
      session = .random(in: 1 ... .max, using: &random)
      revision = 0
      return wire(
        Hello(
          role: .host, session: session,
          software: SoftwareVersion(major: 0, minor: 1, patch: 0)))
    case 2...3: return wire(TimeRequest(hostSend: UInt64(clock) * 1_000, session: session))
    case 4...7:
      guard let index = heard.indices.randomElement(using: &random) else { fallthrough }
      return wire(EventAck(heard.remove(at: index)))
    case 8...9: return wire(indicate())
    case 10:
      let key: ConfigKey = Bool.random(using: &random) ? .debounce : .logLevel
      return wire(Config(key: key, value: .random(in: 0...60, using: &random)))
    case 11: return wire(TraceFrame(first: .random(in: 0...40, using: &random)))
    case 12:
      return wire(
        LEDSet(state: .identify, detail: 0, duration: .random(in: 1...900, using: &random)))
    default:
      sequence &+= 1
      let type: MessageType = Bool.random(using: &random) ? .firmwareInfo : .log
      return wire(FrameBody(type: type, sequence: sequence))
    }
  }

  private mutating func indicate() -> Indicate {
    revision &+= .random(in: 0...2, using: &random)
    let state = ShownState(rawValue: .random(in: 0...10, using: &random)) ?? .idle
    return Indicate(
      session: session, incident: .random(in: 0...3, using: &random), revision: revision,
      state: state, detail: .random(in: 0...90, using: &random),
      sounder: .random(using: &random), lease: .random(in: 50...2_000, using: &random))
  }

  mutating func wire<P: Payload>(_ payload: P) -> [UInt8] {
    sequence &+= 1
    return wire(FrameBody(payload, sequence: sequence))
  }

  private func wire(_ body: FrameBody) -> [UInt8] { WireFrame(body).withBytes { Array($0) } }
}
