import FobBase
import WireProtocol

/// What the light and the sounder show, and why: the host's word while its lease lasts, else what
/// the device knows by itself.
struct Display: Sendable {
  struct Shown: Equatable, Sendable {
    var state: ShownState
    var detail: UInt8
    var sounder: Bool
    var source: LEDState.Source
  }

  private(set) var shown = Shown(state: .off, detail: 0, sounder: false, source: .own)
  var player = LEDPlayer()
  private var obeyed: Indicate?
  private var leaseEnds: Instant?
  private var bench: LEDSet?
  private var benchEnds: Instant?

  var session: UInt32 { obeyed?.session ?? 0 }
  var revision: UInt32 { obeyed?.revision ?? 0 }

  /// Takes the host's word unless it is of another session or older than the last.
  mutating func obey(_ indicate: Indicate, session: UInt32, at now: Instant) -> Bool {
    guard session != 0, indicate.session == session else { return false }
    if let obeyed, obeyed.session == session, indicate.revision < obeyed.revision { return false }
    obeyed = indicate
    leaseEnds = now + .milliseconds(Int64(indicate.lease))
    return true
  }

  mutating func set(_ pattern: LEDSet, at now: Instant) {
    bench = pattern
    benchEnds = now + .milliseconds(Int64(pattern.duration))
  }

  /// An incident is open as far as this device was told.
  func isOpen(at now: Instant) -> Bool {
    guard let obeyed, let leaseEnds, now < leaseEnds else { return false }
    switch obeyed.state {
    case .countdown, .sending, .accepted, .acknowledged, .failed: return true
    default: return false
    }
  }

  /// Leases and the light's steps last as long as they would have.
  mutating func clockWentBack(by lost: Interval) {
    leaseEnds = leaseEnds.map { $0 - lost }
    benchEnds = benchEnds.map { $0 - lost }
    player.clockWentBack(by: lost)
  }

  /// Decides anew; true when something changed.
  mutating func decide(unackedPress: Bool, lowBattery: Bool, at now: Instant) -> Bool {
    let new = choice(unackedPress: unackedPress, lowBattery: lowBattery, at: now)
    let isChanged = new != shown
    shown = new
    return player.play(new.state, detail: new.detail, at: now) || isChanged
  }

  var nextChange: Instant? {
    .earlier(player.stepEnds, .earlier(leaseEnds, benchEnds))
  }

  /// A press that no core has committed is never shown as accepted, acknowledged, ended or idle.
  private mutating func choice(unackedPress: Bool, lowBattery: Bool, at now: Instant) -> Shown {
    if let leaseEnds, now >= leaseEnds { self.leaseEnds = nil }
    if let benchEnds, now >= benchEnds {
      bench = nil
      self.benchEnds = nil
    }
    let sounder = obeyed?.sounder ?? false
    let own = Shown(
      state: unackedPress ? .sending : .unclaimed, detail: 0, sounder: sounder, source: .own)
    guard let obeyed, leaseEnds != nil else { return benchOr(own, unackedPress) }
    switch obeyed.state {
    case .countdown, .sending, .failed: break
    default: if unackedPress { return own }
    }
    let isLow = obeyed.state == .idle && lowBattery
    let said = Shown(
      state: isLow ? .lowBattery : obeyed.state, detail: obeyed.detail, sounder: sounder,
      source: .lease)
    return isOpen(at: now) ? said : benchOr(said, unackedPress)
  }

  private func benchOr(_ other: Shown, _ unackedPress: Bool) -> Shown {
    guard let bench, !unackedPress else { return other }
    return Shown(
      state: bench.state, detail: bench.detail, sounder: other.sounder, source: .bench)
  }
}
