import FobBase
import Foundation
import TestSupport
import Testing

@testable import Simulation

/// Searches of many machines, each with some of the seeds, as one.
struct SearchReportTests {
  private func report(_ seeds: ClosedRange<UInt64>) -> SearchReport {
    SearchReport(
      SearchSummary(playing: seeds), from: seeds.lowerBound, isAttacked: false,
      playing: .seconds(1))
  }

  @Test func `parts in any order make the report of the whole`() throws {
    let parts = [report(3...4), report(1...2), report(5...6)]
    let joined = try parts.dropFirst().reduce(parts[0]) { try $0.merged(with: $1) }
    let whole = report(1...6)
    #expect(joined.seeds == whole.seeds)
    #expect(joined.schedules == whole.schedules)
    #expect(joined.deviceMicroseconds == whole.deviceMicroseconds)
    #expect(joined.excused == whole.excused)
    #expect(joined.hash == whole.hash)
    #expect(joined.playingMicroseconds == 3 * whole.playingMicroseconds)
    #expect(
      CoverageTable(Coverage(joined)).lines
        == CoverageTable(SearchSummary(playing: 1...6).coverage).lines)
  }

  @Test func `a report is the same once it was written and read`() throws {
    let report = report(1...1)
    let data = try JSONEncoder().encode(report)
    #expect(try JSONDecoder().decode(SearchReport.self, from: data) == report)
  }

  @Test(arguments: [
    ("\"first\":1", "\"first\":9"), ("\"schedules\":1", "\"schedules\":2"),
    ("\"schedules\":1", "\"schedules\":-1"),
    ("\"deviceMicroseconds\":", "\"deviceMicroseconds\":9007199254"),
  ])
  func `numbers that no search has are not sound`(_ old: String, _ new: String) throws {
    let report = report(1...1)
    #expect(report.isSound)
    let text = String(decoding: try JSONEncoder().encode(report), as: UTF8.self)
    try #require(text.contains(old))
    let changed = Data(text.replacingOccurrences(of: old, with: new).utf8)
    let read = try? JSONDecoder().decode(SearchReport.self, from: changed)
    #expect(read?.isSound != true)
  }

  @Test func `a seed that two reports count is refused`() throws {
    let first = report(1...2)
    #expect(throws: SearchReport.Mismatch.playedTwice(2)) {
      try first.merged(with: report(2...3))
    }
    #expect(throws: SearchReport.Mismatch.playedTwice(1)) { try first.merged(with: first) }
  }

  @Test func `reports of other worlds are refused`() throws {
    let attacked = SearchReport(
      SearchSummary(), from: 9, isAttacked: true, playing: .zero)
    #expect(throws: SearchReport.Mismatch.attacked) { try report(1...1).merged(with: attacked) }
  }

  @Test func `what nobody has played is named`() throws {
    let some = try report(3...4).merged(with: report(7...7))
    #expect(some.missing(of: 1...9) == [1...2, 5...6, 8...9])
    #expect(some.missing(of: 3...4) == [])
    #expect(some.missing(of: 4...7) == [5...6])
    #expect(some.missing(of: 10...11) == [10...11])
    let top = SearchReport(
      SearchSummary(playing: UInt64.max...UInt64.max), from: .max, isAttacked: false,
      playing: .zero)
    #expect(top.missing(of: UInt64.max - 1...UInt64.max) == [UInt64.max - 1...UInt64.max - 1])
  }
}
