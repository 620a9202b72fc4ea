import Bench
import TestSupport
import Testing

struct StageHistogramsTests {
  /// Against the sorted durations themselves.
  @Test(arguments: 1...10)
  func `what is told of a stage is what its durations are, to a hundredth`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var histograms = StageHistograms()
    let durations = (0..<Int.random(in: 1...500, using: &generator)).map { _ in
      Int64.random(in: -50...(1 << Int64.random(in: 1...25, using: &generator)), using: &generator)
    }
    for duration in durations {
      var sample = LatencySample()
      (sample.read, sample.decided) = (1_000_000, 1_000_000 + duration)
      histograms.add(sample)
    }
    let sorted = durations.sorted()
    let summary = try #require(histograms.summary(of: .decide))
    #expect(summary.count == durations.count)
    #expect(summary.min == sorted.first && summary.max == sorted.last)
    let mean = Double(durations.reduce(0, +)) / Double(durations.count)
    #expect(abs(Double(summary.mean) - mean) <= 0.5)
    for (told, percentile) in [(summary.p50, 50), (summary.p90, 90), (summary.p99, 99)] {
      let rank = (durations.count * percentile + 99) / 100
      let exact = max(0, sorted[max(0, rank - 1)])
      #expect(told >= exact && Double(told) <= Double(exact) * 1.01 + 1, "p\(percentile)")
    }
    #expect(summary.buckets.reduce(0) { $0 + $1.count } == durations.count)
    #expect(zip(summary.buckets, summary.buckets.dropFirst()).allSatisfy { $0.upper < $1.upper })
    #expect(histograms.summary(of: .wire) == nil)
  }

  @Test func `a duration beyond a minute counts as one`() throws {
    var histograms = StageHistograms()
    var sample = LatencySample()
    (sample.read, sample.decided) = (0, .max / 2)
    histograms.add(sample)
    let summary = try #require(histograms.summary(of: .decide))
    #expect(summary.count == 1 && summary.max == .max / 2)
    #expect((59_000_000...61_000_000).contains(summary.p99))
  }
}
