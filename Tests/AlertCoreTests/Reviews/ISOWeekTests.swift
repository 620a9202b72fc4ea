import Testing

@testable import AlertCore

@Suite struct ISOWeekTests {
  /// Berlin: an hour ahead of UTC in winter, two from 2026-03-29 to 2026-10-25, each 01:00 UTC.
  private static let berlin = ZoneTable(
    first: 3_600,
    transitions: [
      ZoneTable.Transition(at: 1_774_746_000, offset: 7_200),
      ZoneTable.Transition(at: 1_792_890_000, offset: 3_600),
    ])

  private static func week(_ date: String, _ time: String) -> String? {
    guard let day = CivilDate(text: date), let minute = LocalTime.minute(time) else { return nil }
    return ISOWeek(berlin.date(at: berlin.instant(of: day, minute: minute))).text
  }

  @Test(arguments: [
    ("2026-11-22", "2026-W47", "2026-11-23", "2026-W48"),
    // The clock changes in that night, forward and back.
    ("2026-03-29", "2026-W13", "2026-03-30", "2026-W14"),
    ("2026-10-25", "2026-W43", "2026-10-26", "2026-W44"),
    // The turns of the year: 2026 has a week 53.
    ("2027-01-03", "2026-W53", "2027-01-04", "2027-W01"),
    ("2025-12-28", "2025-W52", "2025-12-29", "2026-W01"),
  ])
  func `R83: a week ends on Sunday at 23:59 in the account's zone and begins on Monday at 0:00`(
    sunday: String, last: String, monday: String, first: String
  ) {
    #expect(Self.week(sunday, "23:59") == last)
    #expect(Self.week(monday, "00:00") == first)
  }

  @Test func `R83: the weeks beside a week are seven days away, over the turn of the year, too`() {
    let week = ISOWeek(text: "2026-W53")
    #expect(week?.monday.text == "2026-12-28")
    #expect(week?.advanced(by: 1).text == "2027-W01")
    #expect(week?.advanced(by: -1).text == "2026-W52")
    #expect(week?.days.map(\.text).last == "2027-01-03")
  }

  @Test(arguments: [
    "2025-W53", "2026-W54", "2026-W00", "2026-48", "26-W48", "2026-W+1", "0001-W01",
  ])
  func `R83: a text that names no week is none`(text: String) {
    #expect(ISOWeek(text: text) == nil)
  }

  @Test func `R83: every week of a century is written and read back`() {
    var week = ISOWeek(CivilDate(text: "2000-01-01")!)
    for _ in 0..<5_300 {
      #expect(ISOWeek(text: week.text) == week)
      week = week.advanced(by: 1)
    }
  }
}
