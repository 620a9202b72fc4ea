/// How often something may happen that another end can bring about.
public struct RateLimit: Equatable, Sendable {
  /// So many at once, from quiet.
  public let burst: UInt32
  /// Then one in so long; doubling after each `burst` of them, while more is asked for.
  public let every: Interval
  /// The longest that this becomes. Where nothing was held back for so long all begins anew.
  public let longest: Interval

  public init(burst: UInt32, every: Interval, longest: Interval) {
    precondition(burst > 0 && every > .zero && longest >= every, "a pace lets something pass")
    self.burst = burst
    self.every = every
    self.longest = longest
  }
}

/// Lets the first pass at once, holds back what comes too fast, and counts it: so that an end that
/// says the same ten thousand times over brings about a few lines, and harms nobody else.
public struct RateLimiter: Sendable {
  private let pace: RateLimit
  private var period: Interval
  /// So many may pass at once.
  private var credit: UInt32
  /// From when on the next is earned.
  private var since = Instant(microseconds: .min / 2)
  /// That had to be earned, since the period was doubled.
  private var earned: UInt32 = 0
  private var heldAt: Instant?
  /// Held back since the last that passed.
  public private(set) var held: UInt32 = 0

  public init(_ pace: RateLimit) {
    self.pace = pace
    period = pace.every
    credit = pace.burst
  }

  /// One more is asked for.
  /// - Returns: for how many this one stands, itself and those held back since the last that
  ///   passed; nil: it is held back.
  public mutating func take(at now: Instant) -> UInt32? {
    earn(at: now)
    guard credit > 0 else {
      heldAt = now
      held = held == .max ? .max : held + 1
      return nil
    }
    credit -= 1
    defer { held = 0 }
    return held == .max ? .max : held + 1
  }

  /// As `take`, for what was held back alone, once its time has come.
  /// - Returns: how many; nil: none was held back, or it is not time yet.
  public mutating func takeHeld(at now: Instant) -> UInt32? {
    guard let due, now >= due else { return nil }
    earn(at: now)
    credit -= 1
    defer { held = 0 }
    return held
  }

  /// What was held back is no longer asked for.
  public mutating func forgetHeld() { held = 0 }

  /// When what was held back may pass; nil: nothing was.
  public var due: Instant? { held > 0 ? since + period : nil }

  private mutating func earn(at now: Instant) {
    if let heldAt, now - heldAt >= pace.longest {
      self.heldAt = nil
      period = pace.every
      earned = 0
      credit = pace.burst
    }
    let before = credit
    while credit < pace.burst, now - since >= period {
      credit += 1
      since = since + period
    }
    if credit > before, held > 0 { slowDown() }
    if credit == pace.burst { since = now }
  }

  private mutating func slowDown() {
    earned += 1
    guard earned >= pace.burst else { return }
    earned = 0
    period = min(period + period, pace.longest)
  }
}

/// The latest of what is held back, and for how many it stands.
public struct Coalesced<Value: Sendable>: Sendable {
  private var pacer: RateLimiter
  private var latest: Value?

  public init(_ pace: RateLimit) { pacer = RateLimiter(pace) }

  /// - Returns: what passes now; nil: it is held back.
  public mutating func take(_ value: Value, at now: Instant) -> (value: Value, count: UInt32)? {
    guard let count = pacer.take(at: now) else {
      latest = value
      return nil
    }
    latest = nil
    return (value, count)
  }

  /// What was held back, once its time has come.
  public mutating func takeHeld(at now: Instant) -> (value: Value, count: UInt32)? {
    guard let count = pacer.takeHeld(at: now), let value = latest else { return nil }
    latest = nil
    return (value, count)
  }

  /// When `takeHeld` is next worth a call.
  public var due: Instant? { pacer.due }
}
