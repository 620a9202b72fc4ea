/// How often something may happen that the other end can cause.
public struct RateLimit: Equatable, Sendable {
  /// So many may pass at once, after quiet.
  public let burst: UInt32
  /// Then one may pass in each such interval. The interval doubles after each `burst` of them,
  /// while more is asked for.
  public let every: Interval
  /// The interval grows no longer than this. Where nothing was held back for so long, the limiter
  /// begins anew.
  public let longest: Interval

  /// Traps where nothing could pass: `burst` and `every` are above zero, `longest` is no shorter
  /// than `every`.
  public init(burst: UInt32, every: Interval, longest: Interval) {
    precondition(burst > 0 && every > .zero && longest >= every, "a pace lets something pass")
    self.burst = burst
    self.every = every
    self.longest = longest
  }
}

/// Lets the first pass at once, and holds back and counts what comes too fast. So another end that
/// says the same ten thousand times causes a few lines, and harms nobody else.
public struct RateLimiter: Sendable {
  private let pace: RateLimit
  private var period: Interval
  /// How many may pass at once.
  private var credit: UInt32
  /// From here on the next one is being earned.
  private var since = Instant(microseconds: .min / 2)
  /// How many were earned since the period was doubled.
  private var earned: UInt32 = 0
  private var heldAt: Instant?
  /// Held back since the last one that passed; stops at the largest number.
  public private(set) var held: UInt32 = 0

  /// The whole burst may pass at once.
  public init(_ pace: RateLimit) {
    self.pace = pace
    period = pace.every
    credit = pace.burst
  }

  /// Asks for one more.
  /// - Returns: for how many this one stands: itself, and those held back since the last that
  ///   passed. Nil: it is held back.
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

  /// Lets those pass that were held back, without a new one, once `due` has come.
  /// - Returns: how many; nil: none was held back, or it is not time yet.
  public mutating func takeHeld(at now: Instant) -> UInt32? {
    guard let due, now >= due else { return nil }
    earn(at: now)
    credit -= 1
    defer { held = 0 }
    return held
  }

  /// Drops what was held back: it is no longer asked for.
  public mutating func forgetHeld() { held = 0 }

  /// When those held back may pass; nil: none is.
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

/// Limits how often a value passes: of those held back it keeps the latest, and how many there
/// were.
public struct Coalesced<Value: Sendable>: Sendable {
  private var pacer: RateLimiter
  private var latest: Value?

  /// The whole burst may pass at once.
  public init(_ pace: RateLimit) { pacer = RateLimiter(pace) }

  /// Asks to let `value` pass.
  /// - Returns: the value, and for how many it stands; nil: it is held back.
  public mutating func take(_ value: Value, at now: Instant) -> (value: Value, count: UInt32)? {
    guard let count = pacer.take(at: now) else {
      latest = value
      return nil
    }
    latest = nil
    return (value, count)
  }

  /// The latest value that was held back, once `due` has come; nil: there is none, or it is not
  /// time yet.
  public mutating func takeHeld(at now: Instant) -> (value: Value, count: UInt32)? {
    guard let count = pacer.takeHeld(at: now), let value = latest else { return nil }
    latest = nil
    return (value, count)
  }

  /// When to call `takeHeld` next; nil: nothing is held back.
  public var due: Instant? { pacer.due }
}
