import Testing

@testable import Bench

struct RankTestTests {
  @Test func `of two samples without a tie, the highest ranks are one choice of all`() {
    #expect(abs(RankTest.probability([4, 5, 6], above: [1, 2, 3]) - 1.0 / 20) < 1e-12)
    #expect(abs(RankTest.probability([1, 2, 3], above: [4, 5, 6]) - 1) < 1e-12)
  }

  @Test func `a table of Mann and Whitney is met`() {
    // U = 5 of 5 and 5: 28 of 252 choices are at most as high.
    let low: [Double] = [1, 2, 3, 4, 8]
    let high: [Double] = [5, 6, 7, 9, 10]
    #expect(abs(RankTest.probability(high, above: low) - 7.0 / 252) < 1e-12)
  }

  @Test func `ties share their rank`() {
    #expect(RankTest.probability([1, 1], above: [1, 1]) == 1)
  }

  @Test func `the shift is the median of all differences`() {
    #expect(RankTest.shift(from: [1, 2, 3], to: [11, 12, 99]) == 10)
  }

  @Test func `of pairs that all rise, the signs are one choice of all`() {
    #expect(RankTest.probability(ofRises: [1, 2, 3, 4, 5]) == 1.0 / 32)
    #expect(RankTest.probability(ofRises: [-1, -2, -3, -4, -5]) == 1)
  }

  @Test func `a table of Wilcoxon is met`() {
    // Ten pairs: ranks of 8 and less below zero are 25 of 1,024 choices, of 10 and less 43.
    #expect(RankTest.probability(ofRises: [1, 2, -3, 4, -5, 6, 7, 8, 9, 10]) == 25.0 / 1_024)
    #expect(RankTest.probability(ofRises: [-1, -2, -3, -4, 5, 6, 7, 8, 9, 10]) == 43.0 / 1_024)
  }

  @Test func `pairs that do not differ say nothing, and ties share their rank`() {
    #expect(RankTest.probability(ofRises: [0, 0, 1, 1]) == 1.0 / 4)
    #expect(RankTest.probability(ofRises: [1, -1]) == 3.0 / 4)
    #expect(RankTest.probability(ofRises: []) == 1)
  }

  @Test func `the shift of pairs is the median of the means of any two`() {
    #expect(RankTest.shift(of: [1, 2, 30]) == 8.75)
  }

  @Test func `Holm multiplies the smallest by all, the next by one less, and never falls`() {
    #expect(RankTest.holm([0.04, 0.01, 0.5]) == [0.08, 0.03, 0.5])
    #expect(RankTest.holm([0.01, 0.011]) == [0.02, 0.02])
  }
}
