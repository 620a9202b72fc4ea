import Histogram

/// Durations in nanoseconds, counted in an HdrHistogram with three significant digits.
///
/// Two clocks can make a duration negative, which a histogram cannot hold. It counts there as zero,
/// and is also kept as it was, so that no percentile hides it.
struct Distribution {
  private(set) var histogram = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
  private var negative: [Int64] = []
  private(set) var smallest = Int64.max
  private(set) var largest = Int64.min
  private var sum = 0.0

  var count: Int { Int(histogram.totalCount) }
  var negativeCount: Int { negative.count }
  /// Nanoseconds; zero for no durations.
  var mean: Double { count == 0 ? 0 : sum / Double(count) }

  init() {}

  /// - Parameter microseconds: whole ones, as stamps are.
  init(microseconds: some Sequence<Int64>) {
    for value in microseconds { add(value * 1_000) }
  }

  /// - Parameter tenths: of a microsecond.
  init(tenths: some Sequence<Int64>) {
    for value in tenths { add(value * 100) }
  }

  mutating func add(_ nanoseconds: Int64) {
    note(nanoseconds)
    histogram.record(UInt64(clamping: nanoseconds))
  }

  /// As ``add(_:)``, and adds the waits of presses that could not be made meanwhile: one for each
  /// `interval`, each that much shorter (coordinated omission).
  mutating func add(_ nanoseconds: Int64, every interval: Int64) {
    var missed = nanoseconds
    // A wrong stamp must not become a million presses.
    var left = Self.missedAtMost
    repeat {
      add(missed)
      (missed, left) = (missed - interval, left - 1)
    } while missed >= interval && left > 0
  }

  /// The duration at `percentile` (0 … 100), nanoseconds; zero for no durations.
  func value(at percentile: Double) -> Int64 {
    guard count > 0 else { return 0 }
    let rank = Int((percentile / 100 * Double(count)).rounded(.up))
    if rank <= negative.count { return negative.sorted()[max(0, rank - 1)] }
    return min(Int64(clamping: histogram.valueAtPercentile(percentile)), largest)
  }

  private mutating func note(_ nanoseconds: Int64) {
    if nanoseconds < 0 { negative.append(nanoseconds) }
    (smallest, largest) = (min(smallest, nanoseconds), max(largest, nanoseconds))
    sum += Double(nanoseconds)
  }

  private static let missedAtMost = 100_000
}
