public import FobBase

/// What a keychain says wrongly, although its firmware is right: a counter that is too short, a
/// processor that miscounts, a lie. It hears acks of what it has said.
public enum DeviceDefect: Equatable, Sendable {
  /// A counter of `bits` bits that counts units of `unit` µs. It starts so that it is full after
  /// `fullIn`, or at zero where it is shorter than that.
  case clockWraps(bits: Int, unit: UInt64, fullIn: Interval, Clocks)
  case clockRuns(Pace, Clocks)
  /// Events other than presses are stamped ahead of time by `ahead`, and numbered too high by
  /// `numbers`.
  case stumbles(ahead: Interval, numbers: UInt32)
  case numbers(Numbers)
  case nonces(Nonces)
  /// It claims to be another keychain, numbered from 0.
  case idBorrowed(from: Int)
  /// Battery, fixes, and the parts of an event beside its identity are wrong.
  case readings

  /// Which of its clocks are defective.
  public enum Clocks: Equatable, Sendable, CaseIterable {
    /// The stamps of events; TIME_RESP and HEARTBEAT are right.
    case stamps
    case all
  }

  /// Standing at one hour, running backward from 24 hours, or 100 times too fast or too slow.
  public enum Pace: Equatable, Sendable, CaseIterable { case frozen, backward, fast, slow }

  /// How it numbers its events wrongly; the last four go on for ever.
  public enum Numbers: Equatable, Sendable, CaseIterable {
    /// One press has the highest number of all, or the highest of its boot.
    case highestOnce, highestOfBootOnce
    /// One press claims to stand for all presses up to a number far ahead.
    case mergedAheadOnce
    case leaping, repeating, wrapping, falling
  }

  /// How it gets the random nonce of a boot wrong.
  public enum Nonces: Equatable, Sendable, CaseIterable {
    /// Each boot has the same nonce.
    case constant
    /// HELLO has another nonce than all other messages.
    case otherInHello
    /// Each event has its own nonce.
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

  /// The clock that it puts into an event, µs.
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

  /// The clock that it puts into other messages, µs.
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

/// Defects in plain words.
extension DeviceDefect {
  /// As in `from now on its clock is frozen`.
  var words: String {
    switch self {
    case .clockWraps(let bits, let unit, let fullIn, let clocks):
      "from now on \(Self.words(clocks)) counted in \(bits) bits of \(unit) µs, full after"
        + " \(NumberText.length(fullIn)) at the latest"
    case .clockRuns(let pace, let clocks):
      switch pace {
      case .frozen: "from now on \(Self.words(clocks)) frozen"
      case .backward: "from now on \(Self.words(clocks)) running backward"
      case .fast: "from now on \(Self.words(clocks)) a hundred times too fast"
      case .slow: "from now on \(Self.words(clocks)) a hundred times too slow"
      }
    case .stumbles(let ahead, let numbers):
      "from now on what is no press is stamped \(NumberText.length(ahead)) ahead of time,"
        + " and numbered \(numbers) too high"
    case .numbers(let numbers): Self.words(numbers)
    case .nonces(.constant): "from now on each boot has the same nonce"
    case .nonces(.otherInHello): "from now on HELLO has another nonce than all else"
    case .nonces(.otherInEachEvent): "from now on each event has a nonce of its own"
    case .idBorrowed(let other): "from now on it says that it is keychain \(other + 1)"
    case .readings: "from now on its battery, its fixes and its flags are nonsense"
    }
  }

  private static func words(_ clocks: Clocks) -> String {
    switch clocks {
    case .stamps: "the clock of its events is"
    case .all: "its clock is"
    }
  }

  private static func words(_ numbers: Numbers) -> String {
    switch numbers {
    case .highestOnce: "its next press has the highest number that there is"
    case .highestOfBootOnce: "its next press has the highest number of its boot"
    case .mergedAheadOnce: "its next press stands for all up to a number far ahead"
    case .leaping: "from now on the numbers of its events leap"
    case .repeating: "from now on two events each have one number"
    case .wrapping: "from now on its events are numbered 1 to 4, again and again"
    case .falling: "from now on the numbers of its events fall"
    }
  }
}
