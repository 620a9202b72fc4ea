import FobBase
import Judge
import TestSupport
import Testing

@testable import Simulation

@Suite struct SearchTests {
  /// What `seeds` come to, two of them guilty.
  private func played(_ seeds: ClosedRange<UInt64>, guilty: Set<UInt64>) -> SearchSummary {
    var summary = SearchSummary(keepsHashes: true)
    for seed in seeds where summary.found == nil {
      let at = Instant(microseconds: 1)
      summary.add(
        Outcome(
          of: Schedule(quiet: Setting(), seed: seed),
          violations: guilty.contains(seed) ? [Violation(.pressLost, at: at, "lost")] : [],
          hash: seed &* 0x9E37_79B9_7F4A_7C15, deviceSeconds: 0.1))
    }
    return summary
  }

  /// Hands out all it can, and gives back what was played in a random order.
  private func search(
    _ seeds: ClosedRange<UInt64>, guilty: Set<UInt64>, players: Int, seed: UInt64
  ) -> SearchSummary {
    var random = SeededGenerator(seed: seed)
    var search = Search(seeds: seeds, keepsHashes: true)
    var playing: [ClosedRange<UInt64>] = []
    while true {
      while playing.count < players, let taken = search.take() { playing.append(taken) }
      guard !playing.isEmpty else { return search.summary }
      let done = playing.remove(at: Int.random(in: 0..<playing.count, using: &random))
      search.put(played(done, guilty: guilty), of: done)
    }
  }

  @Test(arguments: 0..<50)
  func `what is counted is the same however many play and whoever is faster`(seed: UInt64) {
    let guilty: Set<UInt64> = [61, 75, 90]
    let alone = search(3...200, guilty: guilty, players: 1, seed: 0)
    let many = search(3...200, guilty: guilty, players: 7, seed: seed)
    #expect(many.found?.seed == 61)
    #expect(many.schedules == 61 - 3 + 1)
    #expect(many.hash == alone.hash)
    #expect(many.deviceSeconds == alone.deviceSeconds)
    #expect(many.hashes.map(\.seed) == Array(3...61))
  }

  @Test(arguments: [1...1, 5...12, 5...13, 0...100, (.max - 20)...(.max)] as [ClosedRange<UInt64>])
  func `every seed is played once`(seeds: ClosedRange<UInt64>) {
    let summary = search(seeds, guilty: [], players: 3, seed: 1)
    #expect(summary.hashes.map(\.seed) == Array(seeds))
    #expect(summary.found == nil)
  }

  @Test func `when it is stopped, what is being played still counts`() throws {
    var search = Search(seeds: 1...1_000)
    let taken = (search.take(), search.take())
    let (first, second) = (try #require(taken.0), try #require(taken.1))
    search.stop()
    let more = search.take()
    #expect(more == nil)
    search.put(played(second, guilty: []), of: second)
    #expect(search.summary.schedules == 0)
    search.put(played(first, guilty: []), of: first)
    #expect(search.summary.schedules == first.count + second.count)
  }
}
