import Emulator
import FobBase
import TestSupport
import Testing

@Suite struct DueQueueTests {
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `whatever is set, moved and taken out, the first is the earliest`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var queue = DueQueue()
    var model: [Int: Instant] = [:]
    for _ in 0..<2_000 {
      let member = Int.random(in: 0..<50, using: &random)
      let isTaken = Int.random(in: 0..<4, using: &random) == 0
      let due = Instant(microseconds: .random(in: 0..<200, using: &random))
      model[member] = isTaken ? nil : due
      queue.set(isTaken ? nil : due, for: member)
      #expect(queue.count == model.count)
      #expect(queue.first?.due == model.values.min())
      if let first = queue.first { #expect(model[first.member] == first.due) }
    }
  }

  @Test func `taken one by one, all come in order`() {
    var random = SeededGenerator(seed: 7)
    var queue = DueQueue()
    for member in 0..<500 {
      queue.set(Instant(microseconds: .random(in: 0..<1_000, using: &random)), for: member)
    }
    var last = Instant(microseconds: 0)
    var taken: Set<Int> = []
    while let (due, member) = queue.first {
      #expect(last <= due)
      last = due
      taken.insert(member)
      queue.set(nil, for: member)
    }
    #expect(taken.count == 500)
  }
}
