import FobBase
package import WireProtocol

/// Decides what light and sounder show: the host's INDICATE while its lease lasts, else what the
/// device knows by itself (PROTOCOL.md, 7).
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

  /// Takes an INDICATE, unless it is of another session or older than the last one; false then.
  mutating func obey(_ indicate: Indicate, session: UInt32, at now: Instant) -> Bool {
    guard session != 0, indicate.session == session else { return false }
    if let obeyed, obeyed.session == session, indicate.revision < obeyed.revision { return false }
    obeyed = indicate
    leaseEnds = now + .milliseconds(Int64(indicate.lease))
    return true
  }

  /// Forgets what a host has said, the sounder too: it may have been anybody.
  @inline(never)
  mutating func forget() {
    obeyed = nil
    leaseEnds = nil
    bench = nil
    benchEnds = nil
  }

  /// A sealed session was proved, which counts its revisions from anew.
  mutating func sessionBegan() { obeyed?.revision = 0 }

  mutating func set(_ pattern: LEDSet, at now: Instant) {
    bench = pattern
    benchEnds = now + .milliseconds(Int64(pattern.duration))
  }

  /// Whether an incident is open, as far as a host has told this device.
  func isOpen(at now: Instant) -> Bool {
    guard let obeyed, let leaseEnds, now < leaseEnds else { return false }
    switch obeyed.state {
    case .countdown, .sending, .accepted, .acknowledged, .failed: return true
    default: return false
    }
  }

  /// Leases and steps of the light last as long as they would have lasted.
  mutating func clockWentBack(by lost: Interval) {
    leaseEnds = leaseEnds.map { $0 - lost }
    benchEnds = benchEnds.map { $0 - lost }
    player.clockWentBack(by: lost)
  }

  /// Chooses anew what is shown; true when something changed.
  mutating func decide(unackedPress: Bool, lowBattery: Bool, at now: Instant) -> Bool {
    let new = choice(unackedPress: unackedPress, lowBattery: lowBattery, at: now)
    let isChanged = new != shown
    shown = new
    return player.play(new.state, detail: new.detail, at: now) || isChanged
  }

  var nextChange: Instant? {
    .earlier(player.stepEnds, .earlier(leaseEnds, benchEnds))
  }

  /// Never shows a press that no core has committed as accepted, acknowledged, ended or idle.
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

/// Plays a pattern without drift: each step begins where the one before was to end.
struct LEDPlayer {
  private(set) var state = ShownState.off
  private(set) var detail: UInt8 = 0
  private(set) var isOn = false
  /// When this pattern was started.
  private(set) var began = Instant(microseconds: 0)
  private var index = 0
  private(set) var stepEnds: Instant?

  /// Starts another pattern; false, and the present one goes on, when it is the same.
  mutating func play(_ new: ShownState, detail newDetail: UInt8, at now: Instant) -> Bool {
    guard new != state || selected(by: newDetail) != selected(by: detail) else {
      detail = newDetail
      return false
    }
    state = new
    detail = newDetail
    index = 0
    began = now
    begin(at: now)
    return true
  }

  /// Brings the light to where it is at `now`.
  mutating func advance(to now: Instant) {
    while let ends = stepEnds, ends <= now {
      index += 1
      if LEDPattern.step(index, of: state, detail: detail) == nil { index = 0 }
      begin(at: ends)
    }
  }

  mutating func clockWentBack(by lost: Interval) {
    began = began - lost
    stepEnds = stepEnds.map { $0 - lost }
  }

  private mutating func begin(at start: Instant) {
    guard let step = LEDPattern.step(index, of: state, detail: detail) else { return }
    isOn = step.on
    stepEnds = step.duration == 0 ? nil : start + .milliseconds(Int64(step.duration))
  }

  /// The part of the detail that selects the pattern. The detail of a countdown falls each second;
  /// its pattern changes only where the pace does.
  private func selected(by detail: UInt8) -> UInt8 {
    switch state {
    case .countdown: detail > 60 ? 2 : detail > 20 ? 1 : 0
    case .due: min(max(detail, 1), 9)
    default: 0
    }
  }
}

/// The patterns of the light: each state is a sequence of on and off times that repeats
/// (PROTOCOL.md, 7.3 "LED patterns").
package enum LEDPattern {
  /// The light stays as it is for one duration.
  package struct Step: Equatable {
    /// Whether the light is on.
    package var on: Bool
    /// Milliseconds; 0 is for ever.
    package var duration: UInt16
  }

  /// Step `index` of the sequence of `state`; nil behind the last one, where the sequence begins
  /// again.
  /// - Parameter detail: as INDICATE has it; it selects the pattern of `countdown` and `due`.
  @inline(never)
  package static func step(_ index: Int, of state: ShownState, detail: UInt8) -> Step? {
    switch state {
    case .unclaimed: return blink(index, 100, 900)
    case .idle: return blink(index, 30, 4_970)
    case .lowBattery: return alternate(index, from: 0)
    case .countdown: return blink(index, 100, detail > 60 ? 900 : detail > 20 ? 400 : 150)
    case .sending: return blink(index, 100, 100)
    case .accepted: return blink(index, 700, 300)
    case .acknowledged: return index == 0 ? Step(on: true, duration: 0) : nil
    case .failed: return failed(index)
    case .ended: return alternate(index, from: 4)
    case .due: return due(index, times: Int(min(max(detail, 1), 9)))
    case .breathing: return breathing(index)
    case .identify: return blink(index, 50, 50)
    case .off: return index == 0 ? Step(on: false, duration: 0) : nil
    }
  }

  @inline(never)
  private static func blink(_ index: Int, _ on: UInt16, _ off: UInt16) -> Step? {
    switch index {
    case 0: Step(on: true, duration: on)
    case 1: Step(on: false, duration: off)
    default: nil
    }
  }

  private static func alternate(_ index: Int, from first: Int) -> Step? {
    index < 4 ? Step(on: index % 2 == 0, duration: times[first + index]) : nil
  }

  /// Four steps of low battery, then four of ended.
  private static let times: InlineArray<8, UInt16> = [
    30, 170, 30, 2_770, 400, 200, 400, 2_000,
  ]

  /// Three short flashes and a pause.
  private static func failed(_ index: Int) -> Step? {
    index < 6 ? Step(on: index % 2 == 0, duration: index == 5 ? 700 : 100) : nil
  }

  private static func due(_ index: Int, times: Int) -> Step? {
    guard index < 2 * times else { return nil }
    return Step(on: index % 2 == 0, duration: index == 2 * times - 1 ? 1_500 : 150)
  }

  /// Square breathing, four seconds a side (R70, G11): in, hold, out, hold.
  private static func breathing(_ index: Int) -> Step? {
    switch index {
    case 0: Step(on: true, duration: 4_000)
    case 1...20: Step(on: index % 2 == 1, duration: 200)
    case 21: Step(on: false, duration: 4_000)
    case 22...29: Step(on: index % 2 == 0, duration: index % 2 == 0 ? 100 : 900)
    default: nil
    }
  }
}
