public import FobBase

/// The times and numbers that the judge holds a world to.
public struct Rules: Sendable {
  public var keychains = 1
  public var hosts = 1
  public var contacts = 2
  /// Profile `guarded`: only holds of half a second or more, and whatever cannot be decoded, must
  /// raise; in `literal` every press must.
  public var isGuarded = false
  public var countdown = Interval.zero
  public var tracking = Interval.minutes(30)
  public var messageEvery = Interval.minutes(5)
  public var failAfter = Interval.minutes(15)
  public var debounce = Interval.milliseconds(20)
  /// Once faults have stopped, everything is acked and delivered within this.
  public var settleWithin = Interval.seconds(60)

  public init() {}
}

/// Judges a world from outside. It imports no AlertCore and shares no rule with it.
public struct Judge {
  public let rules: Rules
  public private(set) var violations: [Violation] = []
  /// Events that a disk or a board had said it has, and had not: nobody else can be blamed.
  public private(set) var excused = 0

  public init(_ rules: Rules) { self.rules = rules }

  public mutating func observe(_ observation: Observation, at now: Instant) {}

  /// A rule that only the world itself can see broken.
  public mutating func accuse(_ violation: Violation) { violations.append(violation) }

  /// The world is over, at least `settleWithin` after `calm`.
  public mutating func finish(at now: Instant) {}
}
