import Foundation
import Testing

@testable import AlertCore
@testable import Bridge

struct ZoneTableMakerTests {
  /// 2026-11-25 00:00 UTC.
  static let now: Int64 = 1_795_564_800_000_000

  @Test func `the table of New York has its clock changes, from a year ago on`() {
    let table = ZoneTables.table(of: "America/New_York", at: Self.now, years: 1)
    #expect(
      table
        == ZoneTable(
          first: -18_000,
          transitions: [
            .init(at: 1_772_953_200, offset: -14_400), .init(at: 1_793_512_800, offset: -18_000),
            .init(at: 1_805_007_600, offset: -14_400), .init(at: 1_825_567_200, offset: -18_000),
          ]))
  }

  @Test func `every zone that an account may have has a table, and its offsets are Foundation's`() {
    for name in ZoneNames.all.sorted() {
      guard let zone = TimeZone(identifier: String(name)),
        let table = ZoneTables.table(of: String(name), at: Self.now)
      else {
        Issue.record("no table of \(name)")
        continue
      }
      for week in -52...520 {
        let seconds = Self.now / 1_000_000 + Int64(week) * 604_800
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        guard offset != Int(table.offset(at: seconds)) else { continue }
        Issue.record("\(name) is \(offset) s ahead at \(seconds)")
        break
      }
    }
  }

  @Test func `what is no zone has no table`() {
    #expect(ZoneTables.table(of: "Nowhere/Land", at: Self.now) == nil)
    #expect(ZoneTables.table(of: "", at: Self.now) == nil)
  }

  @Test(arguments: [Int64.min, -1, 0, .max])
  func `any clock gets a table that ends`(_ wall: Int64) {
    #expect(
      ZoneTables.table(of: "Europe/Paris", at: wall).map { $0.transitions.count < 30 } == true)
  }
}
