import Testing

@testable import Bench

struct BenchTableTests {
  @Test func `the table has each stage, each sum and the floor, in 100 columns`() {
    let report = BenchReport(SyntheticRun().result(seed: 1))
    let lines = report.table.split(separator: "\n", omittingEmptySubsequences: false)
    for stage in LatencyStage.inOrder + LatencyStage.sums {
      #expect(lines.count { $0.hasPrefix(stage.name + " ") } >= 1, "\(stage)")
    }
    #expect(lines.contains { $0.hasPrefix("floor: pty") })
    let rows = BenchTable(result: report.result, summary: report.summary).rows
    #expect(rows.allSatisfy { $0.count <= 100 })
    #expect(report.table.contains("the keychain's debounce is 15."))
    #expect(report.table.contains("pacing: ") && report.table.contains("machine: Linux 6.1.0"))
  }

  @Test func `a tail that too few presses carry is not made up`() throws {
    let summary = BenchSummary(SyntheticRun().result(seed: 1))
    let wire = try #require(summary[.wire]?.plain)
    #expect(wire.count == 300 && wire.p99 != nil && wire.p999 == nil)
    #expect(BenchReport(SyntheticRun().result(seed: 1)).table.contains("p99.9 3,000"))
    var run = SyntheticRun()
    run.pressesPerBlock = 100
    #expect(BenchSummary(run.result(seed: 1))[.wire]?.plain.p999 != nil)
  }

  @Test func `a sum counts from when the press was due, so that a late one is not forgiven`() throws
  {
    var result = BenchResult()
    var late = LatencySample()
    (late.due, late.edge, late.decided) = (1_000, 51_000, 71_000)
    result.blocks = [BenchResult.Block(samples: [late], floor: [])]
    let sum = try #require(BenchSummary(result)[.pressToDecided])
    #expect(sum.plain.max == 20_000 && sum.corrected?.max == 70_000)
  }

  @Test func `where only the rate is known, what waiting left out is filled in`() throws {
    var result = BenchResult()
    result.rate = 100
    var sample = LatencySample()
    (sample.edge, sample.decided) = (0, 45_000)
    result.blocks = [BenchResult.Block(samples: [sample], floor: [])]
    let sum = try #require(BenchSummary(result)[.pressToDecided])
    #expect(sum.plain.count == 1 && sum.corrected?.count == 4 && sum.corrected?.min == 15_000)
    result.rate = nil
    #expect(try #require(BenchSummary(result)[.pressToDecided]).corrected == nil)
  }

  @Test func `what two clocks make negative is shown so, and what they leave open is said`() throws
  {
    var result = BenchResult()
    let samples = (0..<40).map { index in
      var sample = LatencySample()
      (sample.written, sample.read, sample.uncertainty) = (100, 95 + Int64(index % 10), 25)
      return sample
    }
    result.blocks = [BenchResult.Block(samples: samples, floor: [150])]
    let wire = try #require(BenchSummary(result)[.wire])
    #expect(wire.plain.negative == 20 && wire.plain.min == -5 && wire.plain.median == -1)
    #expect(wire.uncertainty == 25 && wire.toFloor == -0.067)
    let table = BenchReport(result).table
    #expect(table.contains("wire: 20 of 40 came out below zero"))
    #expect(table.contains("below what the two clocks leave open (± 25.0 µs)"))
  }

  @Test func `presses that came too late and presses that were lost are said`() {
    var result = SyntheticRun().result(seed: 1)
    result.pacing = .init(median: 500, p99: 2_000, largest: 9_000, limit: 1_000)
    result.lost = 3
    result.unseen = 2
    let table = BenchReport(result).table
    #expect(table.contains("REFUSED") && table.contains("no figure here counts"))
    #expect(table.contains("3 presses lost"))
    #expect(table.contains("2 presses durable, but without their stamps"))
  }

  @Test func `figures are written with a tenth below a thousand`() {
    #expect(
      FigureText.microseconds(999.94) == "999.9" && FigureText.microseconds(1_234.5) == "1,235")
    #expect(FigureText.microseconds(-0.04) == "0.0" && FigureText.microseconds(-5_000) == "-5,000")
    #expect(FigureText.duration(20_912) == "20.9 ms" && FigureText.duration(3.21) == "3.2 µs")
    #expect(FigureText.microseconds(nil) == "–" && FigureText.plain(.infinity, digits: 0).count > 3)
  }
}
