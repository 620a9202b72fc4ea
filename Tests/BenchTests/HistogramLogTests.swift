import Foundation
import Histogram
import TestSupport
import Testing

@testable import Bench

struct HistogramLogTests {
  @Test func `Python's hdrhistogram reads back every count and percentile`() throws {
    let folder = try ScratchDirectory()
    let result = SyntheticRun().result(seed: 7)
    let path = folder.path("run.hlog")
    try BenchReport(result).histogramLog.write(toFile: path, atomically: true, encoding: .utf8)
    let read = try Python.run(Self.reader, [path], python: try Python.withHdrHistogram())
    #expect(read == Self.expected(result))
  }

  /// Tag, count and percentiles as our own histograms have them, then each count.
  private static func expected(_ result: BenchResult) -> String {
    let samples = result.blocks.flatMap(\.samples)
    var lines: [String] = []
    func append(_ tag: String, _ distribution: Distribution) {
      let histogram = distribution.histogram
      // Ours ends at the largest that was recorded, theirs at the end of its step.
      let percentiles = [50, 90, 99, 99.9].map {
        "\(histogram.highestEquivalentForValue(histogram.valueAtPercentile($0)))"
      }
      lines.append("\(tag) \(histogram.totalCount) \(percentiles.joined(separator: " "))")
      for recorded in histogram.recordedValues() {
        lines.append("\(recorded.value) \(recorded.count)")
      }
    }
    for stage in LatencyStage.inOrder + LatencyStage.sums {
      append(
        stage.rawValue, Distribution(microseconds: samples.compactMap { $0.duration(of: stage) }))
      if let corrected = Distribution.corrected(stage, of: samples, rate: result.rate) {
        append("\(stage.rawValue)-corrected", corrected)
      }
    }
    append("floor", Distribution(tenths: result.blocks.flatMap(\.floor)))
    append("flush", Distribution(tenths: result.blocks.flatMap(\.flushes)))
    return lines.map { "\($0)\n" }.joined()
  }

  private static let reader = #"""
    import sys
    from hdrh.histogram import HdrHistogram
    from hdrh.log import HistogramLogReader
    log = HistogramLogReader(sys.argv[1], HdrHistogram(1, 3_600_000_000_000, 3))
    while True:
        histogram = log.get_next_interval_histogram()
        if histogram is None: break
        percentiles = " ".join(
            str(histogram.get_value_at_percentile(p)) for p in (50, 90, 99, 99.9))
        print(histogram.tag, histogram.get_total_count(), percentiles)
        for value in histogram.get_recorded_iterator():
            highest = histogram.get_highest_equivalent_value(value.value_iterated_to)
            print(highest, value.count_at_value_iterated_to)
    assert abs(log.get_start_time_sec() - 1767323045.678) < 0.001, log.get_start_time_sec()
    """#

  @Test func `the head says when the run began, and a log of nothing is a log`() {
    let log = BenchReport(BenchResult()).histogramLog
    #expect(log.contains("#[Histogram log format version 1.3]\n"))
    #expect(log.split(separator: "\n").count == 4)
    #expect(
      BenchReport(SyntheticRun().result(seed: 1)).histogramLog
        .contains("#[StartTime: 1767323045.678 (seconds since epoch), 2026-01-02T03:04:05.678Z]"))
  }

  @Test func `a value is counted where HdrHistogram counts it`() {
    // The published layout: 2,048 single values, then 1,024 of two each, of four each, …
    for (value, index): (UInt64, Int) in [
      (0, 0), (1, 1), (2_047, 2_047), (2_048, 2_048), (2_049, 2_048), (4_095, 3_071),
      (4_096, 3_072), (4_099, 3_072), (4_100, 3_073),
    ] {
      #expect(HistogramEncoding.index(of: value) == index, "\(value)")
    }
  }

  @Test func `Adler-32 is that of RFC 1950, and long data goes in several blocks`() {
    #expect(ZlibContainer.adler32(Array("Wikipedia".utf8)) == 0x11E6_0398)
    let container = ZlibContainer.stored([UInt8](repeating: 7, count: 70_000))
    #expect(container.count == 2 + 2 * 5 + 70_000 + 4)
    #expect(container[2] == 0 && container[2 + 5 + 65_535] == 1)
  }
}
