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
  /// As good as gone while there is no power.
  var firmware: Keychain
  private(set) var isOn = false
  var finger: Finger
  private var gps: GeneratedGPS?
  private var nextEpoch = Instant.never
  private var random: SplitMix64
  /// Of one that is, or will be, defective.
  var voice: DefectFilter?
  /// Of the trace ring, what was looked at.
  private var nextTrace: UInt32 = 0
  private var newestTrace: UInt32 = 0
  private var wake = Instant.never
  /// It comes on again then.
  var powerReturns = Instant.never
  /// It goes then, at the latest.
  var powerGoes = Instant.never
  /// For so long, when it goes.
  var offFor = Interval.seconds(1)
  private(set) var isBlocked = false

  init(_ index: Int, _ setting: Setting, seed: UInt64) {
    self.index = index
    board = WorldBoard(DeviceID(keychain: index), driftPPM: setting.drift[index])
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

  /// - Returns: events that its memory had said it has, and has not.
  func losePower() -> [EventIdentity] {
    isOn = false
    powerGoes = .never
    voice?.fallSilent()
    return board.memory.losePower()
  }

  // MARK: The sky

  func tellStory(_ story: GPSScript?, at now: Instant) {
    gps = GeneratedGPS(
      GPSTrack(.heading(from: .observatory, course: 60, turn: 0)), story: story, loops: true,
      utc: 1_750_000_000_000_000 + now.microseconds, at: now)
    nextEpoch = now
  }

  // MARK: Turns

  /// Everything that is due; what the board sends lies in `board.sent` then.
  func turn(at now: Instant, room: Int) {
    if nextEpoch <= now {
      board.hearGPS(gps!.sentences(at: now))
      nextEpoch = nextEpoch + gps!.wait
    }
    board.look(at: now)
    board.room = room
    let due = poll(&firmware)
    wake = board.clock.hostInstant(dueAt: due)
    // Not sent for want of a further poll: at once.
    if isBlocked, board.room > 0 { wake = now }
  }

  /// Handed over by reference: to ask a property of the firmware would copy it.
  private func poll(_ firmware: inout Keychain) -> Instant {
    let due = firmware.poll(&board)
    isBlocked = firmware.wantsToTransmit
    newestTrace = firmware.trace.next
    return due
  }

  // MARK: The line

  /// It will be defective: what it says is listened to from the beginning.
  func giveVoice() {
    if voice == nil { voice = DefectFilter(seed: UInt64(index)) }
  }

  /// Takes what the board has sent, as it goes to the line.
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

  /// What the firmware has noted since the last look: lights, and events that its memory refused.
  func lookAtTrace(_ see: (Observation) -> Void) {
    while isOn, nextTrace != newestTrace {
      if let entry = firmware.trace[nextTrace] { look(at: entry, see) }
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
