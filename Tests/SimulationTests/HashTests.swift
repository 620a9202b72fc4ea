import FobBase
import Judge
import Testing

@testable import Simulation

@Suite struct HashTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `the same seed gives the same hash, with a journal and without`(seed: UInt64) {
    let once = Schedule(seed: seed).play()
    let again = Schedule(seed: seed).play(keepingJournal: true)
    #expect(once.hash == again.hash)
    #expect(once.deviceSeconds == again.deviceSeconds)
    #expect(once.journal.isEmpty)
    #expect(!again.journal.isEmpty)
  }

  @Test func `no two of many seeds give the same hash`() {
    let hashes = (1...60).map { Schedule(seed: $0).play().hash }
    #expect(Set(hashes).count == hashes.count)
  }

  @Test func `leaving out one act that was done changes the hash`() throws {
    let schedule = Schedule(seed: 2)
    let press = try #require(schedule.acts.first { $0.action.fault == .press })
    let others = Set(schedule.acts.map(\.number)).subtracting([press.number])
    #expect(schedule.keeping(others).play().hash != schedule.play().hash)
  }
}
