import Simulation
import TestSupport
import Testing

/// Worlds that nobody has played before, some at each run of the tests.
struct SearchBudgetTests {
  private static let blocks: UInt64 = Soak.isOn ? 250 : 10
  private static let seedsInBlock: UInt64 = 20

  @Test func `worlds that nobody has played before break no rule`() async {
    let first = UInt64.random(in: 100_000_000...999_999_999)
    print("seeds from \(first)")
    let tallies = await withTaskGroup(of: SearchSummary.self) { group in
      for block in 0..<Self.blocks {
        let lowest = first + block * Self.seedsInBlock
        group.addTask { SearchSummary(playing: lowest...(lowest + Self.seedsInBlock - 1)) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    for found in tallies.compactMap(\.found).sorted(by: { $0.seed < $1.seed }) {
      Issue.record("\(found.violation)\nrepeat: fob simulate --seed \(found.seed)")
    }
    if tallies.allSatisfy({ $0.found == nil }) {
      #expect(tallies.map(\.schedules).reduce(0, +) == Int(Self.blocks * Self.seedsInBlock))
    }
  }
}
