public import FobBase

/// The due times of presses and floor trips. They are fixed before the first press, so that no
/// press waits for the answer to another.
///
/// Presses come at a fixed rate, the keychains in turn. Each is shifted by a part of the period
/// that chance gives from the seed: else all presses would fall on the heartbeats of each second,
/// or all between them.
///
/// The trips of the floor stand between the presses, in the middle of the widest gaps left by
/// edges, debouncing and hand-over. A core that has slept takes several times as long to wake as a
/// busy one, so a trip counts only if the machine is as it is when a press is written: a thread
/// that has slept for some milliseconds wakes by its timer, and writes to another that sleeps.
/// Trips in a burst, or on a machine at rest, would measure another floor.
public struct PressSchedule: Equatable, Sendable {
  /// One press that is due.
  public struct Press: Equatable, Sendable {
    /// Which keychain of the rig, from 0.
    public let keychain: Int
    /// µs from the start.
    public let due: Int64
  }

  /// In the order of their due times; none for presses by hand.
  public let presses: [Press]
  /// µs from the start, in order.
  public let floor: [Int64]

  /// How long the contact is closed: longer than the debounce time, so that it counts.
  public static let hold = Interval.milliseconds(25)
  /// How soon a clean press is sure, to a keychain after boot, and how soon its end.
  public static let (surePress, sureRelease) = (
    Interval.milliseconds(15), Interval.milliseconds(20)
  )
  /// How long before its due time a press is handed to an emulated finger.
  public static let lead = Interval.milliseconds(30)
  /// Between two presses of one keychain: the hold, and the 60 ms that an emulated finger is away.
  public static let minPeriod = Interval.milliseconds(86)
  /// Presses a second of one keychain that leave room for the random shift.
  public static let rateOfKeychain = 10.0
  static let tripsOfPress = 2
  /// Floor trips a second where presses are made by hand.
  static let tripsAlone = 20.0

  /// - Parameters:
  ///   - rate: presses a second over all keychains; nil schedules the floor alone, for presses by
  ///     hand.
  ///   - keychains: how many share the presses.
  ///   - length: of the whole run, warm-up included.
  ///   - seed: the same one gives the same times again.
  public init(rate: Double?, keychains: Int, length: Interval, seed: UInt64) {
    var random = SplitMix64(state: seed)
    guard let rate else {
      presses = []
      let period = 1_000_000 / Self.tripsAlone
      floor = (0..<Int(Double(length.microseconds) / period)).map {
        Int64(Double($0) * period) + random.next(below: Int64(period / 2))
      }
      return
    }
    let period = 1_000_000 / rate
    let room = period * Double(keychains) - Double(Self.minPeriod.microseconds)
    let spread = Int64(max(1, min(period / 4, room)))
    // Without this, a fractional period could cost the last press.
    let count = Int(Double(length.microseconds) * rate / 1_000_000 + 0.001)
    let presses = (0..<count).map { n in
      Press(
        keychain: n % keychains,
        due: Self.lead.microseconds + Int64(Double(n) * period) + random.next(below: spread))
    }
    self.presses = presses
    floor = Self.gaps(between: presses)
  }

  private static func gaps(between presses: [Press]) -> [Int64] {
    let busyAfter: [Interval] = [
      .zero - lead, .zero, surePress, hold, hold + sureRelease,
    ]
    var busy: [Int64] = []
    for press in presses { busy += busyAfter.map { press.due + $0.microseconds } }
    busy.sort()
    var trips: [Int64] = []
    for (press, next) in zip(presses, presses.dropFirst()) {
      for _ in 0..<tripsOfPress {
        let first = busy.partitioningIndex { $0 >= press.due }
        let last = busy.partitioningIndex { $0 >= next.due }
        let widths = (first..<last).map { busy[$0 + 1] - busy[$0] }
        guard let width = widths.max(), let widest = widths.firstIndex(of: width) else { continue }
        let middle = busy[first + widest] + width / 2
        busy.insert(middle, at: first + widest + 1)
        trips.append(middle)
      }
    }
    return trips.sorted()
  }
}

extension Array {
  /// The index of the first element for which `belongs` is true; all elements before it are false.
  fileprivate func partitioningIndex(where belongs: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if belongs(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension SplitMix64 {
  /// - Returns: 0 up to but not including `limit`, which is at least 1.
  fileprivate mutating func next(below limit: Int64) -> Int64 { Int64(next() % UInt64(limit)) }
}
