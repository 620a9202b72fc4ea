import FobBase

/// Closed time counts up, open time down; a press begins at `goal` and ends at zero.
struct ContactIntegral: Sendable {
  let goal: Interval
  private(set) var count = Interval.zero
  private(set) var isPressed = false
  private(set) var presses = 0

  init(goal: Interval) { self.goal = goal }

  /// - Returns: when a press began in this time.
  mutating func advance(from since: Instant, to now: Instant, isClosed: Bool) -> Instant? {
    let elapsed = now - since
    guard isClosed else {
      count = max(.zero, count - elapsed)
      if count == .zero { isPressed = false }
      return nil
    }
    let left = goal - count
    count = min(goal, count + elapsed)
    guard !isPressed, elapsed >= left else { return nil }
    isPressed = true
    presses += 1
    return since + left
  }

  /// When a press begins if the contact stays closed.
  func settles(after since: Instant) -> Instant? { isPressed ? nil : since + (goal - count) }

  mutating func forgetPresses() { presses = 0 }

  /// As if a jump of the clock had made an opening long.
  mutating func forgetBounce() { if !isPressed { count = .zero } }
}
