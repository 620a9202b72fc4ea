import AlertCore
import Testing

struct ZoneTableTests {
  @Test(arguments: [
    // 1:30 before the clock goes from 2:00 to 3:00, then a time that it leaves out, then after it.
    ("2026-03-08", 90, 1_772_951_400), ("2026-03-08", 150, 1_772_955_000),
    ("2026-03-08", 180, 1_772_953_200),
    // 1:30 when the clock goes from 2:00 to 1:00 is there twice: the first one.
    ("2026-11-01", 90, 1_793_511_000), ("2026-11-01", 120, 1_793_516_400),
  ])
  func `a local time is one moment, also where the clock changes`(
    _ day: String, _ minute: Int, _ seconds: Int64
  ) {
    #expect(
      ZoneTable.newYork.instant(of: .on(day), minute: minute) == seconds * 1_000_000)
  }

  @Test func `a day that the clock leaves out is read with the offset before it`() {
    let zone = ZoneTable.withoutADay
    let gone = zone.instant(of: .on("2026-12-30"), minute: 540)
    #expect(gone == zone.instant(of: .on("2026-12-31"), minute: 540))
    #expect(zone.date(at: gone) == .on("2026-12-31"))
  }

  @Test func `minutes past the day's end are those of the days after`() {
    let zone = ZoneTable.newYork
    let next = zone.instant(of: .on("2026-11-02"), minute: 60)
    #expect(zone.instant(of: .on("2026-11-01"), minute: 1_500) == next)
  }

  @Test(
    arguments: [
      (.min, -18_000), (1_772_953_199, -18_000), (1_772_953_200, -14_400),
      (1_793_512_799, -14_400), (1_793_512_800, -18_000), (.max, -18_000),
    ] as [(Int64, Int32)])
  func `an offset holds from its transition to the next`(_ seconds: Int64, _ offset: Int32) {
    #expect(ZoneTable.newYork.offset(at: seconds) == offset)
  }

  @Test func `the local day changes at local midnight`() {
    let midnight = ZoneTable.newYork.instant(of: .on("2026-11-25"), minute: 0)
    #expect(ZoneTable.newYork.date(at: midnight) == .on("2026-11-25"))
    #expect(ZoneTable.newYork.date(at: midnight - 1) == .on("2026-11-24"))
    for wall in [Int64.min, .max] { #expect(ZoneTable.newYork.date(at: wall).day != 0) }
  }
}
