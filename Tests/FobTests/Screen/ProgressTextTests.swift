import FobBase
import Testing

@testable import fob

/// How far a long work is, on a clock that the test moves.
@Suite struct ProgressTextTests {
  private let start = Instant(microseconds: 5_000_000)

  @Test func `done, rate and time left are told`() {
    var text = ProgressText("schedules", of: 10_000, at: start)
    #expect(text.row(done: 0, at: start + .seconds(1)) == "0 of 10,000 schedules (0 %)")
    #expect(
      text.row(done: 2_000, at: start + .seconds(10))
        == "2,000 of 10,000 schedules (20 %), 200/s, 40 s left")
    #expect(
      text.row(done: 10_000, at: start + .seconds(20))
        == "10,000 of 10,000 schedules (100 %), 500/s, 0 s left")
  }

  @Test func `the rate is that of the last half minute`() {
    var text = ProgressText("cases", of: 100, at: start)
    for second in 1...60 { _ = text.row(done: second, at: start + .seconds(Int64(second))) }
    for second in 61...100 { _ = text.row(done: 60, at: start + .seconds(Int64(second))) }
    // Nothing was done for so long that no rate is known.
    #expect(text.row(done: 60, at: start + .seconds(101)) == "60 of 100 cases (60 %)")
  }

  @Test func `slow work is told in minutes, long work in hours`() {
    var text = ProgressText("parts", of: 600, at: start)
    #expect(
      text.row(done: 1, at: start + .seconds(60)) == "1 of 600 parts (0 %), 1.0/min, 10 h left")
    var hours = ProgressText("parts", of: 61, at: start)
    #expect(hours.row(done: 1, at: start + .seconds(5)) == "1 of 61 parts (1 %), 0.2/s, 5 min left")
  }

  @Test func `work that ends by the clock says how long that is`() {
    var text = ProgressText("presses", ends: start + .seconds(12), at: start)
    #expect(text.row(done: 40, at: start + .seconds(2)) == "40 presses, 20/s, 10 s left")
    #expect(text.row(done: 240, at: start + .seconds(13)) == "240 presses, 18/s, ending")
  }

  @Test func `a row is due four times a second`() {
    var text = ProgressText("cases", of: 3, at: start)
    #expect(!text.isDue(at: start + .milliseconds(249)))
    #expect(text.isDue(at: start + .milliseconds(250)))
    _ = text.row(done: 1, at: start + .milliseconds(250))
    #expect(!text.isDue(at: start + .milliseconds(499)))
  }

  @Test func `numbers at their limits are no trouble`() {
    var text = ProgressText("schedules", of: .max, at: start)
    #expect(text.row(done: .max, at: start + .microseconds(1)).contains("(100 %)"))
    var none = ProgressText("cases", of: 0, at: start)
    #expect(none.row(done: 0, at: start) == "0 of 0 cases")
  }
}
