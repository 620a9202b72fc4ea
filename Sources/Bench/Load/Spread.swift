/// How measured times lie: the median, the tail and the largest, by nearest rank.
public struct Spread: Codable, Equatable, Sendable {
  public var count: Int
  /// In the unit of what was measured.
  public var median: Int64
  public var p99: Int64
  public var largest: Int64

  /// Nil of nothing.
  public init?(_ values: [Int64]) {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    count = sorted.count
    median = Self.rank(sorted, hundredths: 50)
    p99 = Self.rank(sorted, hundredths: 99)
    largest = sorted[sorted.count - 1]
  }

  /// The least value that at least so many hundredths of all do not exceed.
  private static func rank(_ sorted: [Int64], hundredths: Int) -> Int64 {
    sorted[max(1, (sorted.count * hundredths + 99) / 100) - 1]
  }
}
