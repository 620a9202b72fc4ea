import Emulator
import Firmware
import FobBase
import Judge
import NMEA
import WireProtocol

/// The production firmware on a board of this world.
final class SimulatedKeychain {
  let index: Int
  var board: WorldBoard
  /// Not polled while there is no power.
  var firmware: Keychain
  private(set) var isOn = false
  var finger: Finger
  private var gps: GeneratedGPS?
  private var nextEpoch = Instant.never
  private var random: SplitMix64
  /// Changes what the keychain says; nil for one that never becomes defective.
  var voice: DefectFilter?
  /// How far the trace ring was looked at, and how far it goes.
  private var nextTrace: UInt32 = 0
  private var newestTrace: UInt32 = 0
  private var wake = Instant.never
  /// When the power comes again.
  var powerReturns = Instant.never
  /// When the power goes at the latest.
  var powerGoes = Instant.never
  /// For how long the power then stays away.
  var offFor = Interval.seconds(1)
  private(set) var isBlocked = false

  init(_ index: Int, _ setting: Setting, seed: UInt64) {
    self.index = index
    board = WorldBoard(
      DeviceID(keychain: index), driftPPM: setting.drift[index],
      isBare: setting.bare.contains(index))
    finger = Finger(bounces: setting.bounces)
    random = SplitMix64(state: seed)
    var unpowered = board
    firmware = Keychain(booting: &unpowered)
    if setting.hasGPS { tellStory(nil, at: Instant(microseconds: 0)) }
  }

  var unacked: Int { isOn ? firmware.unackedCount : 0 }

  var nextDue: Instant {
    var due = min(finger.nextEdge, min(powerReturns, powerGoes))
    if isOn { due = min(due, min(wake, nextEpoch)) }
    return due
  }

  // MARK: Power

  func boot(_ cause: ResetCause, at now: Instant) {
    powerReturns = .never
    powerGoes = .never
    board.boot(cause, nonce: UInt32(truncatingIfNeeded: random.next()) | 1, at: now)
    board.look(at: now)
    firmware = Keychain(booting: &board)
    isOn = true
    nextTrace = 0
    newestTrace = 0
    wake = now
    nextEpoch = gps == nil ? .never : now
  }

  /// - Returns: events that its memory had claimed and lost.
  func losePower() -> [EventIdentity] {
    isOn = false
    powerGoes = .never
    voice?.fallSilent()
    return board.memory.losePower()
  }

  // MARK: The sky

  /// Of a sky that a board without a receiver does not hear.
  func tellStory(_ story: GPSScript?, at now: Instant) {
    guard board.hasGPS else { return }
    gps = GeneratedGPS(
      GPSTrack(.heading(from: .observatory, course: 60, turn: 0)), story: story, loops: true,
      utc: 1_750_000_000_000_000 + now.microseconds, at: now)
    nextEpoch = now
  }

  // MARK: Turns

  /// Runs everything that is due. Bytes that the board sends are in `board.sent` afterwards.
  func turn(at now: Instant, room: Int) {
    if nextEpoch <= now {
      board.hearGPS(gps!.sentences(at: now))
      nextEpoch = nextEpoch + gps!.wait
    }
    board.look(at: now)
    board.room = room
    let due = poll(&firmware)
    wake = board.clock.hostInstant(dueAt: due)
    // Bytes wait for nothing but another poll, so it comes at once.
    if isBlocked, board.room > 0 { wake = now }
  }

  /// Passed by reference: a property of the firmware would be read from a copy.
  private func poll(_ firmware: inout Keychain) -> Instant {
    let due = firmware.poll(&board)
    isBlocked = firmware.wantsToTransmit
    newestTrace = firmware.trace.next
    return due
  }

  // MARK: The line

  /// Prepares a keychain that will become defective: its messages pass the filter from the
  /// beginning.
  func giveVoice() {
    if voice == nil { voice = DefectFilter(seed: UInt64(index)) }
  }

  /// Takes the bytes that the board has sent, in the form that goes to the line.
  func withSent(telling see: (Observation) -> Void, _ send: (UnsafeRawBufferPointer) -> Void) {
    if voice == nil {
      board.sent.withUnsafeBytes(send)
    } else {
      voice!.say(board.sent) { see(.said(keychain: index, $0, as: $1)) }.withUnsafeBytes(send)
    }
    board.clearSent()
  }

  func hear(_ bytes: [UInt8]) { board.arrive(voice == nil ? bytes : voice!.hear(bytes)) }

  // MARK: The trace

  /// Reports what the firmware has traced since the last look: lights, and events that its memory
  /// refused.
  /// - Parameter isAttacked: whether events that it forgets by an ack are reported, too.
  func lookAtTrace(isAttacked: Bool, _ see: (Observation) -> Void) {
    while isOn, nextTrace != newestTrace {
      if let entry = firmware.trace[nextTrace] {
        look(at: entry, see)
        if isAttacked, entry.code == .eventAcked {
          see(.forgotten(keychain: index, EventNumber(rawValue: entry.argument)))
        }
      }
      nextTrace &+= 1
    }
  }

  private func look(at entry: TraceEntry, _ see: (Observation) -> Void) {
    switch entry.code {
    case .stateShown:
      let state = ShownState(rawValue: UInt8(truncatingIfNeeded: entry.argument)) ?? .off
      see(.light(keychain: index, state, sounder: entry.argument >> 16 & 1 == 1))
    case .eventCommitted:
      let number = EventNumber(rawValue: entry.argument)
      guard let record = firmware.record(of: number, &board), record.flags.contains(.volatile)
      else { return }
      see(.kept(keychain: index, Event(record), isVolatile: true))
    default: break
    }
  }
}

/// A finger on one button, and the contact under it. A finger that is told to press while it
/// presses does so as soon as possible.
struct Finger {
  /// Between two presses of a person in a hurry.
  private static let gap = Interval.milliseconds(80)

  private let bounces: Bool
  private var script: [ButtonEdge] = []
  private var next = 0
  private var free = Instant(microseconds: .min)
  private var stuckUntil: Instant?

  init(bounces: Bool) { self.bounces = bounces }

  var nextEdge: Instant {
    let edge = next < script.count ? script[next].at : .never
    return min(edge, stuckUntil ?? .never)
  }

  var isResting: Bool { next == script.count && stuckUntil == nil }

  mutating func press(hold: Interval, seed: UInt64, at now: Instant) {
    let start = max(now, free)
    let release = start + hold
    var bounce = ContactBounce(seed: bounces ? seed : nil)
    script += bounce.edges(closing: true, at: start, before: release)
    script += bounce.edges(closing: false, at: release, before: release + .milliseconds(10))
    free = max(release, script.last!.at) + Self.gap
  }

  /// Clicks of 0.1 s with gaps of 0.1 to 0.3 s.
  mutating func click(_ count: Int, seed: UInt64, at now: Instant) {
    var random = SplitMix64(state: seed)
    var at = max(now, free)
    for _ in 0..<count {
      press(hold: .milliseconds(100), seed: random.next(), at: at)
      at = free + .milliseconds(Int64.random(in: 20...220, using: &random))
    }
  }

  mutating func stick(for span: Interval, at now: Instant) {
    stuckUntil = max(stuckUntil ?? now, now + span)
  }

  /// The contact's next position by now; nil when nothing has moved.
  mutating func take(upTo now: Instant) -> Bool? {
    if let ends = stuckUntil, ends <= now {
      stuckUntil = nil
      return position
    }
    guard next < script.count, script[next].at <= now else { return nil }
    next += 1
    if next == script.count {
      let last = script[next - 1]
      script = [last]
      next = 1
    }
    return stuckUntil == nil ? position : true
  }

  /// Whether the finger presses.
  private var position: Bool { next > 0 && script[next - 1].closed }
}
