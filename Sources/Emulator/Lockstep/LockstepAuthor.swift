import Firmware
import FobBase
import NMEA
import WireProtocol

/// Writes a script with the emulator at hand: what the host says depends on what it has heard.
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

  /// From a boot to the moment at which the power is cut.
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

  /// A contact that bounces, is held for long or too short, and bounces again.
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

  /// An epoch of sentences, in the pieces in which a UART brings them; some are torn.
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
