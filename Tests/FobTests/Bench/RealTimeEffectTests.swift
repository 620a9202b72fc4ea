import FobBase
import Foundation
import Glibc
import TestSupport
import Testing

@testable import fob

/// What pairs of runs say of an option.
@Suite struct RealTimeEffectTests {
  private func times(_ time: Int64) -> RealTimeTimes {
    RealTimeTimes(decided: [time, time], wire: [time], engine: [])
  }

  private func effect(_ off: [Int64], _ on: [Int64]) -> RealTimeEffect {
    RealTimeEffect(option: "--realtime", off: off.map(times), on: on.map(times))
  }

  @Test(
    arguments: [
      ([50, 60, 70], [40, 55, 69], .better), ([40, 55, 69], [50, 60, 70], .worse),
      ([50, 60, 70], [40, 60, 69], .noise), ([50, 60, 70], [40, 61, 69], .noise),
    ] as [([Int64], [Int64], RealTimeEffect.Verdict)])
  func `an effect is what every pair says, all else is noise`(
    off: [Int64], on: [Int64], verdict: RealTimeEffect.Verdict
  ) {
    let rows = effect(off, on).rows
    #expect(rows.map(\.name).count == 6)
    #expect(rows[0].verdict == verdict)
    #expect(rows[2].verdict == verdict)
    // Nothing was seen of the third.
    #expect(rows[4].verdict == .noise)
  }

  @Test func `the table says how much, or that it is noise`() {
    let lines = effect([1_000, 1_200, 1_400], [600, 600, 600]).lines
    #expect(lines[0].hasPrefix("--realtime, 3 pairs"))
    #expect(lines[1] == "  press → decided, median                1.200     0.600   better by 50 %")
    #expect(lines[5].hasSuffix("noise"))
  }

  @Test func `figures are ranks: the 99th of a hundred, the last of a few`() {
    let figures = StartFigures((1...100).map { Int64($0) }.shuffled())
    #expect((figures.median, figures.p99, figures.max) == (50, 99, 100))
    let few = StartFigures([7, 3, 5])
    #expect((few.median, few.p99, few.max) == (5, 7, 7))
  }

  @Test func `fob bench start tells the median and the worst of real starts`() throws {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(
      ["bench", "start", "--runs", "2", "--json"], in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd(within: .seconds(120)) == 0)
    struct Figures: Decodable { let median, p99, max: Int64 }
    struct Report: Decodable {
      let bench: String
      let runs: Int
      let found, armed: Figures
    }
    let report = try JSONDecoder().decode(Report.self, from: Data(fob.output.utf8))
    #expect(report.bench == "start" && report.runs == 2)
    #expect(0 < report.found.median && report.found.max <= report.armed.max)
  }

  @Test func `fob bench realtime plays pairs of real runs and tells each stage`() throws {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(
      ["bench", "realtime", "--cpu", "0", "--presses", "3", "--pairs", "3"], in: scratch,
      awaitsReady: false)
    let ended = fob.awaitEnd(within: .seconds(240))
    guard sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1 else {
      // No processor is left for all the rest.
      #expect(ended != 0)
      return
    }
    #expect(ended == 0)
    #expect(fob.output.contains("--cpu 0, 3 pairs of runs"))
    #expect(fob.output.contains("engine (t2 → t3), p99"))
  }
}
