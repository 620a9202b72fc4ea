/// What is published of one distribution, microseconds.
///
/// A tail is nil where fewer than three durations are expected beyond it: so few say nothing.
public struct Figures: Codable, Equatable, Sendable {
  /// Durations counted, and how many of them two clocks made negative.
  public var count: Int
  public var negative: Int
  public var min: Double
  public var median: Double
  public var p90: Double?
  public var p99: Double?
  public var p999: Double?
  public var max: Double
  public var mean: Double

  /// How many durations a percentile needs before it is published.
  public static func needed(for percentile: Double) -> Int {
    Int((3 * 100 / (100 - percentile)).rounded())
  }

  /// Nil of nothing.
  init?(_ distribution: Distribution) {
    guard distribution.count > 0 else { return nil }
    func value(_ percentile: Double) -> Double {
      Self.microseconds(Double(distribution.value(at: percentile)))
    }
    func tail(_ percentile: Double) -> Double? {
      distribution.count >= Self.needed(for: percentile) ? value(percentile) : nil
    }
    count = distribution.count
    negative = distribution.negativeCount
    min = Self.microseconds(Double(distribution.smallest))
    median = value(50)
    (p90, p99, p999) = (tail(90), tail(99), tail(99.9))
    max = Self.microseconds(Double(distribution.largest))
    mean = Self.microseconds(distribution.mean)
  }

  /// To a tenth.
  private static func microseconds(_ nanoseconds: Double) -> Double {
    (nanoseconds / 100).rounded() / 10
  }
}
