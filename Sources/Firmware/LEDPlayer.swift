import FobBase
import WireProtocol

/// Plays a pattern without drift: each step begins where the one before was to end.
struct LEDPlayer {
  private(set) var state = ShownState.off
  private(set) var detail: UInt8 = 0
  private(set) var isOn = false
  /// When this pattern was started.
  private(set) var began = Instant(microseconds: 0)
  private var index = 0
  private(set) var stepEnds: Instant?

  /// Starts a pattern over; true when it is another than the one playing.
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

  /// What of the detail the pattern depends on: a countdown's falls each second, but only where its
  /// pace changes does the pattern change.
  private func selected(by detail: UInt8) -> UInt8 {
    switch state {
    case .countdown: detail > 60 ? 2 : detail > 20 ? 1 : 0
    case .due: min(max(detail, 1), 9)
    default: 0
    }
  }
}
