public import FobBase

/// What a keychain says wrongly, whatever its firmware does rightly: a counter that is too short, a
/// processor that counts wrongly, a lie. It hears acks of what it has said.
public enum DeviceDefect: Equatable, Sendable {
  /// A counter of so many bits, of units of so many µs. It began so that it is full after `fullIn`,
  /// or with zero where it is too short for that.
  case clockWraps(bits: Int, unit: UInt64, fullIn: Interval, Clocks)
  case clockRuns(Pace, Clocks)
  /// Each event that is no press is stamped so far ahead, and numbered so much too high.
  case stumbles(ahead: Interval, numbers: UInt32)
  case numbers(Numbers)
  case nonces(Nonces)
  /// It says that it is that keychain.
  case idBorrowed(from: Int)
  /// Battery, fixes, and what an event carries beside its identity.
  case readings

  /// Which of its clocks are defective.
  public enum Clocks: Equatable, Sendable, CaseIterable {
    /// Those in events; TIME_RESP and HEARTBEAT are right.
    case stamps
    case all
  }

  public enum Pace: Equatable, Sendable, CaseIterable { case frozen, backward, fast, slow }

  public enum Numbers: Equatable, Sendable, CaseIterable {
    /// One press has the highest number that there is, or that there is in its boot.
    case highestOnce, highestOfBootOnce
    /// One press says that it stands for all presses up to a number far ahead.
    case mergedAheadOnce
    case leaping, repeating, wrapping, falling
  }

  public enum Nonces: Equatable, Sendable, CaseIterable {
    /// The same in each boot.
    case constant
    /// HELLO has another than all else.
    case otherInHello
    /// Each event has its own.
    case otherInEachEvent
  }
}

extension DeviceDefect {
  var fault: Fault {
    switch self {
    case .clockWraps, .clockRuns, .stumbles: .clockIll
    case .numbers: .numbersIll
    case .nonces: .noncesIll
    case .idBorrowed: .idBorrowed
    case .readings: .readingsIll
    }
  }

  // MARK: Clocks

  private static let hour: UInt64 = 3_600_000_000

  /// What it makes of the clock in an event, µs.
  func stamp(_ clock: UInt64) -> UInt64 {
    switch self {
    case .clockWraps(let bits, let unit, _, _):
      (begun(clock) / unit & (1 << UInt64(bits) - 1)) &* unit
    case .clockRuns(let pace, _):
      switch pace {
      case .frozen: Self.hour
      case .backward: Self.hour &* 24 &- clock
      case .fast: clock &* 100
      case .slow: clock / 100
      }
    default: clock
    }
  }

  /// What it makes of the clock in anything else.
  func reading(_ clock: UInt64) -> UInt64 {
    switch self {
    case .clockWraps(_, _, _, .stamps): begun(clock)
    case .clockWraps(_, _, _, .all), .clockRuns(_, .all): stamp(clock)
    default: clock
    }
  }

  private func begun(_ clock: UInt64) -> UInt64 {
    guard case .clockWraps(let bits, let unit, let fullIn, _) = self else { return clock }
    let full = unit << UInt64(bits)
    let ahead = UInt64(fullIn.microseconds)
    return full > ahead ? clock &+ (full - ahead) : clock
  }
}
