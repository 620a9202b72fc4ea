import AlertCore
import FobBase
import TestSupport
import Testing

@testable import Bridge

@Suite struct WakeHeapTests {
  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `accounts are woken when they last asked for it, the earliest first`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var heap = WakeHeap()
    var asked: [AccountNumber: Instant] = [:]
    var now = Instant(microseconds: 0)
    for _ in 0..<500 {
      let account = AccountNumber(Int.random(in: 1...20, using: &random))!
      let wake: Instant? =
        Int.random(in: 0..<5, using: &random) == 0
        ? nil : now + .microseconds(Int64.random(in: 0...50, using: &random))
      heap.set(wake, for: account)
      asked[account] = wake
      #expect(heap.first == asked.values.min())
      guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
      now = now + .microseconds(Int64.random(in: 0...40, using: &random))
      let due = asked.filter { $0.value <= now }
      let taken = heap.takeDue(at: now)
      #expect(Set(taken) == Set(due.keys) && taken.count == due.count)
      #expect(taken.map { due[$0]! } == due.values.sorted())
      for account in taken { asked[account] = nil }
    }
  }
}
