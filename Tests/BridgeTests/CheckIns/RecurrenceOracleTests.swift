import AlertCore
import Foundation
import TestSupport
import Testing

@testable import Bridge

/// Rules and zones held against Python's dateutil and zoneinfo, which share nothing with this
/// program: each moment of ten years is the same, with the same key.
@Suite(.enabled(if: Oracle.isThere, "NOT RUN: python3-dateutil is not installed"))
struct RecurrenceOracleTests {
  @Test(arguments: Soak.isOn ? 1...100 : 1...1)
  func `an independent program finds the same moments of every rule in every zone`(
    _ seed: Int
  ) throws {
    let expanded = try Oracle.expanded(rules: 100, seed: seed)
    #expect(expanded.count == 100)
    for series in expanded {
      let start = Int64(series.rule.start.day) * 86_400_000_000
      guard let zone = ZoneTables.table(of: series.zone, at: start, years: 11) else {
        Issue.record("no table of \(series.zone)")
        continue
      }
      expectSame(series, in: zone)
    }
  }

  private func expectSame(_ series: Oracle.Series, in zone: ZoneTable) {
    var wall = Int64.min
    for expected in series.moments {
      let moment = series.rule.next(after: wall, in: zone)
      let found = moment.map { "\($0.due / 1_000_000) \($0.key.text)" } ?? "none"
      guard found == expected, let moment else {
        Issue.record("\(series.zone): \(series.rule): \(found) where \(expected) is expected")
        return
      }
      wall = moment.due
    }
    let further = series.rule.next(after: wall, in: zone)
    #expect(
      further.map { $0.due >= series.until * 1_000_000 } ?? true,
      "\(series.zone): \(series.rule): \(String(describing: further)) is one too many")
  }
}

private enum Oracle {
  struct Series: Decodable {
    let zone: String
    let rule: Recurrence
    /// Seconds since 1970.
    let until: Int64
    /// Each when it falls due, seconds since 1970, and its key.
    let moments: [String]
  }

  static let isThere = (try? Shell.run("python3 -c 'import dateutil' 2>&1").status) == 0

  static func expanded(rules: Int, seed: Int) throws -> [Series] {
    let script = Repository.root.appending(path: "scripts/recurrences.py").path
    let (status, output) = try Shell.run("python3 -B '\(script)' --rules \(rules) --seed \(seed)")
    #expect(status == 0)
    return try output.split(separator: UInt8(ascii: "\n")).map {
      try JSONDecoder().decode(Series.self, from: $0)
    }
  }
}
