import AlertCore
import Testing

/// R90 to R95 and G13, by the day of each moment; by UTC where the clock does not matter.
struct RecurrenceTests {
  @Test func `once is the first day alone`() {
    let once = Recurrence(.once, at: 540, from: .on("2026-11-25"))
    #expect(once.days(2) == ["2026-11-25"])
    #expect(once.next(after: 1_795_597_200_000_000, in: .utc) == nil)
    #expect(once.next(after: 1_795_597_199_999_999, in: .utc)?.due == 1_795_597_200_000_000)
  }

  @Test func `every n days counts from the first day`() {
    let rule = Recurrence(.days(every: 10), at: 0, from: .on("2026-12-20"))
    #expect(rule.days(3) == ["2026-12-20", "2026-12-30", "2027-01-09"])
  }

  @Test func `m times every k hours belong to their day also past midnight`() {
    let rule = Recurrence(
      .days(every: 2, times: 3, hoursApart: 4), at: 20 * 60, from: .on("2026-11-25"))
    let moments = rule.occurrences(after: .min, count: 4, in: .utc)
    #expect(
      moments.map(\.key.text) == [
        "20261125T2000", "20261125T2000-1", "20261125T2000-2", "20261127T2000",
      ])
    #expect(moments.map { ($0.due - moments[0].due) / 3_600_000_000 } == [0, 4, 8, 48])
  }

  @Test func `days that run into each other come in the order in which they fall due`() {
    let rule = Recurrence(
      .days(every: 1, times: 3, hoursApart: 15), at: 0, from: .on("2026-11-25"))
    #expect(
      rule.occurrences(after: .min, count: 6, in: .utc).map(\.key.text) == [
        "20261125T0000", "20261125T0000-1", "20261126T0000", "20261125T0000-2",
        "20261126T0000-1", "20261127T0000",
      ])
  }

  @Test func `two at the same moment are one, that of the earlier day`() {
    let rule = Recurrence(
      .days(every: 1, times: 2, hoursApart: 12), at: 0, from: .on("2026-11-25"))
    let full = Recurrence(.days(every: 1, times: 4, hoursApart: 12), at: 0, from: rule.start)
    let moments = full.occurrences(after: .min, count: 7, in: .utc)
    #expect(moments.map(\.due) == rule.occurrences(after: .min, count: 7, in: .utc).map(\.due))
    #expect(moments[2].key.text == "20261125T0000-2")
    #expect(full.occurrence(moments[2].key, in: .utc) == moments[2])
    #expect(full.occurrence(OccurrenceKey(.on("2026-11-26"), minute: 0), in: .utc) == nil)
  }

  @Test func `every n weeks counts from the week of the first day, which begins on Monday`() {
    let rule = Recurrence(
      .weeks(every: 2, [.monday, .wednesday, .sunday]), at: 540, from: .on("2026-11-25"))
    #expect(rule.days(5) == ["2026-11-25", "2026-11-29", "2026-12-07", "2026-12-09", "2026-12-13"])
  }

  @Test func `the 13th day of every month`() {
    let rule = Recurrence(.months(every: 1, .day(13)), at: 540, from: .on("2026-11-25"))
    #expect(rule.days(3) == ["2026-12-13", "2027-01-13", "2027-02-13"])
  }

  @Test func `a month without the day is left out`() {
    let last = Recurrence(.months(every: 1, .day(31)), at: 540, from: .on("2027-01-01"))
    #expect(last.days(4) == ["2027-01-31", "2027-03-31", "2027-05-31", "2027-07-31"])
    let leap = Recurrence(.years(every: 1, months: [2], .day(29)), at: 540, from: .on("2026-01-01"))
    #expect(leap.days(3) == ["2028-02-29", "2032-02-29", "2036-02-29"])
  }

  @Test(
    arguments: [
      (.second, .friday, ["2026-12-11", "2027-01-08"]),
      (.last, .friday, ["2026-11-27", "2026-12-25"]),
      (.first, .weekdays, ["2026-12-01", "2027-01-01"]),
      (.third, .weekend, ["2026-12-12", "2027-01-09"]),
      (.last, .day, ["2026-11-30", "2026-12-31"]),
      (.fourth, .day, ["2026-12-04", "2027-01-04"]),
      (.every, .monday, ["2026-11-30", "2026-12-07"]),
      (.every, .weekend, ["2026-11-28", "2026-11-29"]),
    ] as [(Recurrence.Ordinal, Recurrence.DayGroup, [String])])
  func `which of which days of a month`(
    _ ordinal: Recurrence.Ordinal, _ group: Recurrence.DayGroup, _ days: [String]
  ) {
    let rule = Recurrence(
      .months(every: 1, .ordinal(ordinal, group)), at: 0, from: .on("2026-11-25"))
    #expect(rule.days(2) == days)
  }

  @Test func `every n years counts from the first day's year, and has the months chosen`() {
    let rule = Recurrence(
      .years(every: 2, months: [8, 1], .day(13)), at: 540, from: .on("2026-11-25"))
    #expect(rule.days(3) == ["2028-01-13", "2028-08-13", "2030-01-13"])
    let mondays = Recurrence(
      .years(every: 1, months: [8], .ordinal(.every, .monday)), at: 540, from: .on("2026-11-25"))
    #expect(
      mondays.days(6) == [
        "2027-08-02", "2027-08-09", "2027-08-16", "2027-08-23", "2027-08-30", "2028-08-07",
      ])
  }

  @Test func `the last day may have one, the day after has none`() {
    let rule = Recurrence(
      .days(every: 1, times: 2, hoursApart: 20), at: 540, from: .on("2026-11-25"),
      until: .on("2026-11-26"))
    #expect(rule.days(9) == ["2026-11-25", "2026-11-25", "2026-11-26", "2026-11-26"])
  }

  @Test func `nine is nine by the local clock before and after it changes`() {
    let rule = Recurrence(.days(every: 1), at: 540, from: .on("2026-10-31"))
    let moments = rule.occurrences(after: .min, count: 3, in: .newYork)
    #expect(moments.map { ($0.due - moments[0].due) / 3_600_000_000 } == [0, 25, 49])
  }

  @Test func `a time that the clock leaves out is asked, and one that it has twice is asked once`()
  {
    let early = Recurrence(
      .days(every: 1), at: 150, from: .on("2026-03-07"), until: .on("2026-03-09"))
    #expect(early.occurrences(after: .min, count: 9, in: .newYork).count == 3)
    let late = Recurrence(.days(every: 1), at: 90, from: .on("2026-11-01"))
    let moments = late.occurrences(after: .min, count: 2, in: .newYork)
    #expect(moments.map(\.due) == [1_793_511_000_000_000, 1_793_601_000_000_000])
  }

  @Test func `a rule that names no day of any year ends at once`() {
    let never = Recurrence(.years(every: 1, months: [2], .day(30)), at: 0, from: .on("2026-01-01"))
    let clock = ContinuousClock()
    var found: Recurrence.Occurrence?
    #expect(clock.measure { found = never.next(after: 0, in: .utc) } < .seconds(1))
    #expect(found == nil)
    let months = Recurrence(.months(every: 12, .day(31)), at: 0, from: .on("2026-11-01"))
    #expect(months.next(after: 0, in: .utc) == nil)
    // 2026, 2126 and so on are no leap years.
    let hundreds = Recurrence(
      .years(every: 100, months: [2], .day(29)), at: 0, from: .on("2026-01-01"))
    #expect(hundreds.next(after: 0, in: .utc) == nil)
  }

  @Test func `a rare day is found wherever in the centuries it is`() {
    let rare = Recurrence(.years(every: 7, months: [2], .day(29)), at: 0, from: .on("2097-01-01"))
    #expect(rare.days(2) == ["2104-02-29", "2132-02-29"])
    let last = Recurrence(.days(every: 999), at: 0, from: .on("9999-12-30"))
    #expect(last.days(3) == ["9999-12-30"])
  }
}
