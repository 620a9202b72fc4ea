import TestSupport
import Testing

@testable import Bench

struct PressMatchingTests {
  private func sample(edge: Int64? = nil, read: Int64) -> LatencySample {
    var sample = LatencySample()
    (sample.edge, sample.read, sample.decided) = (edge, read, read + 20)
    return sample
  }

  @Test func `whatever is lost, each press that came has the due time that it was made for`() {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<500 {
      let dues = (0..<40).map { Int64($0) * 100_000 + .random(in: 0...10_000, using: &random) }
      let kept = dues.filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
      let isFitted = Bool.random(using: &random)
      let samples = kept.map { due in
        let late = Int64.random(in: -900...40_000, using: &random)
        return sample(edge: isFitted ? due + late : nil, read: due + late + 20_100)
      }
      let matched = PressMatching.match(samples.shuffled(using: &random), to: dues)
      #expect(matched.map(\.due) == kept)
    }
  }

  @Test func `a press that nobody was to make belongs to no due time`() {
    let matched = PressMatching.match(
      [sample(edge: 1_000, read: 21_000), sample(edge: 60_000, read: 80_000)], to: [59_000])
    #expect(matched.map(\.edge) == [60_000])
    #expect(PressMatching.match([sample(edge: 1, read: 2)], to: []).isEmpty)
  }

  @Test func `the pacing error is that of the first edges, whichever way they were off`() throws {
    let samples = [(100, 100), (200, 203), (300, 290)].map { due, edge in
      var sample = sample(edge: Int64(edge), read: 0)
      sample.due = Int64(due)
      return sample
    }
    let pacing = try #require(BenchResult.Pacing(of: samples, limit: 9))
    #expect(pacing.median == 3)
    #expect(pacing.largest == 10 && pacing.p99 == 10)
    #expect(pacing.isRefused)
    #expect(BenchResult.Pacing(of: [], limit: 9) == nil)
  }
}
