import FobBase
import Testing

@testable import Simulation

@Suite struct FiguresTests {
  @Test(
    arguments: [
      (0, "0 s"), (1, "1 µs"), (999, "999 µs"), (1_000, "1 ms"), (1_500, "1.5 ms"),
      (2_000_000, "2 s"), (61_250_000, "61.25 s"), (1_800_000_000, "30 min"), (-2_500, "-2.5 ms"),
      (.min, "-9223372036854.775 s"),
    ] as [(Int64, String)])
  func `a length of time is said in the unit that suits it`(microseconds: Int64, words: String) {
    #expect(NumberText.length(.microseconds(microseconds)) == words)
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567"),
    (100_000, "100,000"),
  ])
  func `thousands are set apart`(number: Int, words: String) {
    #expect(NumberText.grouped(number) == words)
  }

  @Test func `a hash has sixteen digits`() {
    #expect(Hex.text(0xAB, digits: 16) == "00000000000000ab")
    #expect(Hex.text(.max, digits: 16) == "ffffffffffffffff")
  }
}
