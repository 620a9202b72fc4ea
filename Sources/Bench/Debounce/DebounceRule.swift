import FobBase

/// What tells a press from bounce, fed with how long the contact stays closed or open.
protocol DebounceRule: Sendable {
  /// - Parameter time: the debounce time, above zero.
  init(time: Interval)

  /// The contact is closed, or open, for that much longer.
  /// - Returns: how far into it a press settled; nil: none did.
  mutating func hold(closed: Bool, for elapsed: Interval) -> Interval?
}

/// Time closed counts up and time open counts down, between zero and the debounce time. Pressed at
/// the debounce time, released at zero.
struct IntegratorRule: DebounceRule {
  private let time: Interval
  private var count = Interval.zero
  private var isPressed = false

  init(time: Interval) { self.time = time }

  mutating func hold(closed: Bool, for elapsed: Interval) -> Interval? {
    guard closed else {
      count = max(.zero, count - elapsed)
      if count == .zero { isPressed = false }
      return nil
    }
    let left = time - count
    count = min(time, count + elapsed)
    guard !isPressed, elapsed >= left else { return nil }
    isPressed = true
    return left
  }
}

/// The integrator, but early on a clean contact: pressed also when closed for three quarters of the
/// debounce time without a break. A press fills the count.
struct EarlyRule: DebounceRule {
  private let time: Interval
  private let clean: Interval
  private var unbroken = Interval.zero
  private var count = Interval.zero
  private var isPressed = false

  init(time: Interval) {
    self.time = time
    clean = .microseconds(time.microseconds / 4 * 3)
  }

  mutating func hold(closed: Bool, for elapsed: Interval) -> Interval? {
    guard closed else {
      unbroken = .zero
      count = max(.zero, count - elapsed)
      if count == .zero { isPressed = false }
      return nil
    }
    let left = min(clean - unbroken, time - count)
    unbroken = unbroken + elapsed
    count = min(time, count + elapsed)
    guard !isPressed, elapsed >= left else { return nil }
    isPressed = true
    count = time
    return left
  }
}

/// The common timer that every edge starts over: pressed when closed, and released when open, for
/// the debounce time without a break.
struct RestartRule: DebounceRule {
  private let time: Interval
  private var isClosed = false
  private var unbroken = Interval.zero
  private var isPressed = false

  init(time: Interval) { self.time = time }

  mutating func hold(closed: Bool, for elapsed: Interval) -> Interval? {
    if closed != isClosed { unbroken = .zero }
    isClosed = closed
    let left = time - unbroken
    unbroken = unbroken + elapsed
    guard closed != isPressed, elapsed >= left else { return nil }
    isPressed = closed
    return closed ? left : nil
  }
}
