import AlertCore
import FobBase
import TestSupport
import Testing

struct CivilDateTests {
  @Test func `each day of the calendar is the one after the day before`() {
    var (year, month, day) = Soak.isOn ? (1, 1, 1) : (1900, 1, 1)
    let days: ClosedRange<Int32> = Soak.isOn ? -719_162...2_932_896 : -25_567...60_000
    for number in days {
      let date = CivilDate(day: number)
      guard date.parts == (year, month, day), CivilDate(text: date.text) == date else {
        Issue.record("\(number) is \(date.text)")
        return
      }
      day += 1
      if day > CivilDate.days(inMonth: month, of: year) { (month, day) = (month + 1, 1) }
      if month == 13 { (year, month) = (year + 1, 1) }
    }
  }

  @Test(arguments: [
    ("1970-01-01", Recurrence.Weekday.thursday), ("2000-02-29", .tuesday),
    ("2026-11-25", .wednesday), ("1969-12-31", .wednesday), ("0001-01-01", .monday),
    ("9999-12-31", .friday),
  ])
  func `a day has the weekday of the calendar`(_ text: String, _ weekday: Recurrence.Weekday) {
    #expect(CivilDate.on(text).weekday == weekday)
  }

  @Test(arguments: [
    "2026-02-29", "2026-04-31", "2026-13-01", "2026-00-01", "2026-01-00", "0000-01-01", "26-01-01",
    "2026-1-01", "2026-01-01-", "+026-01-01", "", "2026‑01‑01",
  ])
  func `what is no date is not taken for one`(_ text: String) {
    #expect(CivilDate(text: text) == nil)
  }

  @Test func `any number of days is a date that can be read and written`() {
    for day in [Int32.min, Int32.min + 1, -719_163, 2_932_897, .max] {
      let date = CivilDate(day: day)
      #expect(!date.text.isEmpty)
      #expect(date.weekday.rawValue >= 1)
    }
  }
}

struct OccurrenceKeyTests {
  @Test func `a key is a day, a time and a place, and reads back from its text`() {
    let day = CivilDate.on("2026-11-25")
    #expect(OccurrenceKey(day, minute: 540).text == "20261125T0900")
    #expect(OccurrenceKey(day, minute: 1_439, index: 23).text == "20261125T2359-23")
    var random = SeededGenerator(seed: 23)
    for _ in 0..<500 {
      let key = OccurrenceKey(
        CivilDate(day: .random(in: -719_162...2_932_896, using: &random)),
        minute: .random(in: 0..<1_440, using: &random), index: .random(in: 0..<24, using: &random))
      #expect(OccurrenceKey(text: key.text) == key)
    }
  }

  @Test(arguments: [
    "20261125T0900-0", "20261125T0900-24", "20261125T0900-01", "20261125T2400", "20261125T0960",
    "20260229T0900", "20261125T0900-", "20261125 0900", "2026112T00900", "", "20261125T0900-1-1",
  ])
  func `what is no key is not taken for one`(_ text: String) {
    #expect(OccurrenceKey(text: text) == nil)
  }

  @Test func `keys of one time are in the order of days, then of places`() {
    let texts = ["20261125T0900", "20261125T0900-1", "20261125T0900-2", "20261126T0900"]
    let keys = texts.compactMap(OccurrenceKey.init(text:))
    #expect(keys.sorted() == keys && keys.count == 4)
  }
}
