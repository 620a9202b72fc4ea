/// The offsets of one time zone over some years: the core has no zone database, so the bridge hands
/// this in.
public struct ZoneTable: Equatable, Sendable {
  /// From a moment on local time is ahead of UTC by `offset`.
  public struct Transition: Equatable, Sendable {
    /// Seconds since 1970-01-01 UTC.
    public let at: Int64
    /// Seconds; negative west of Greenwich.
    public let offset: Int32

    /// The local time changes to `offset` at that moment.
    public init(at: Int64, offset: Int32) {
      self.at = at
      self.offset = offset
    }
  }

  /// The offset before the first transition, seconds.
  public let first: Int32
  /// In the order of time.
  public let transitions: [Transition]
  /// All offsets of the table lie within, seconds.
  let offsets: ClosedRange<Int64>

  /// `transitions` must be in the order of time.
  public init(first: Int32, transitions: [Transition] = []) {
    self.first = first
    self.transitions = transitions
    var (least, greatest) = (first, first)
    for transition in transitions {
      least = min(least, transition.offset)
      greatest = max(greatest, transition.offset)
    }
    offsets = Int64(least)...Int64(greatest)
  }

  /// Local time is UTC.
  public static let utc = ZoneTable(first: 0)
}

extension ZoneTable {
  /// How far local time is ahead of UTC, seconds.
  /// - Parameter seconds: since 1970 UTC; before and after the table's years the first and the last
  ///   offset hold.
  public func offset(at seconds: Int64) -> Int32 { offset(before: passed(at: seconds)) }

  /// The local day.
  /// - Parameter wall: µs since 1970 UTC.
  public func date(at wall: Int64) -> CivilDate {
    let seconds = Self.seconds(wall)
    let day = (seconds + Int64(offset(at: seconds))).quotient(86_400)
    return CivilDate(day: Int32(clamping: day))
  }

  /// When a local time is, µs since 1970 UTC. One that the clock leaves out is read with the offset
  /// before the gap, and one that occurs twice is the first (RFC 5545, 3.3.5).
  /// - Parameters:
  ///   - date: of the years from 1 to 9,999.
  ///   - minute: after local midnight; from 1,440 on, of the days after.
  public func instant(of date: CivilDate, minute: Int) -> Int64 {
    instant(local: Int64(date.day) * 86_400 + Int64(minute) * 60) * 1_000_000
  }

  /// Seconds since 1970, rounded down.
  /// - Parameter wall: µs.
  static func seconds(_ wall: Int64) -> Int64 { wall.quotient(1_000_000) }

  /// How many transitions are not after `seconds`.
  private func passed(at seconds: Int64) -> Int {
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle].at <= seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The offset that holds before a transition.
  private func offset(before index: Int) -> Int32 {
    index == 0 ? first : transitions[index - 1].offset
  }

  /// Both in seconds since 1970, the one by the local clock, the other UTC.
  private func instant(local: Int64) -> Int64 {
    // Whatever the offset was, these are over.
    var index = passed(at: local - offsets.upperBound)
    while index < transitions.count, transitions[index].at <= local - Int64(offset(before: index)) {
      index += 1
    }
    // Now the local clock does not reach `local` before the next transition: it is in this stretch,
    // or lies in the gap before it.
    let offset = Int64(offset(before: index))
    if index > 0, local - offset < transitions[index - 1].at {
      return local - Int64(self.offset(before: index - 1))
    }
    return local - offset
  }
}

extension Int64 {
  /// Rounded down; `divisor` is positive.
  func quotient(_ divisor: Int64) -> Int64 {
    self / divisor - (self % divisor < 0 ? 1 : 0)
  }
}
