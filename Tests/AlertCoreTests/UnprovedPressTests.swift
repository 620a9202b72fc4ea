import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// Open to help: a press in the name of a paired keychain is heard from anybody (PROTOCOL.md, 15).
struct UnprovedPressTests {
  private func unproved(_ n: UInt32) -> CoreInput {
    .unprovedPress(line, EventRecord.press(n).identity)
  }

  @Test func `a press that is not proved raises at once, and the log says that it is not`() {
    var bench = CoreBench()
    bench.hand(unproved(1))
    #expect(bench.happened(.incidentOpened).count == 1)
    #expect(bench.store.entries(of: EventRecord.press(1).identity) == 1)
    let said = bench.happened(.pressUnproved)
    #expect(said.map(\.event) == ["1.1"])
    #expect(said.first?.incident != nil)
  }

  @Test func `the copy with its proof is told once, and raises nothing again`() {
    var bench = CoreBench()
    bench.hand(unproved(1))
    for _ in 0..<3 { bench.press(.press(1)) }
    #expect(bench.happened(.incidentOpened).count == 1)
    #expect(bench.happened(.pressProved).map(\.event) == ["1.1"])
    #expect(bench.store.entries(of: EventRecord.press(1).identity) == 1)
  }

  @Test func `a press that came with its proof is never doubted for a copy without`() {
    var bench = CoreBench()
    bench.press(.press(1))
    bench.hand(unproved(1))
    #expect(bench.happened(.pressUnproved).isEmpty)
    #expect(bench.happened(.pressProved).isEmpty)
  }

  @Test func `a flood of presses that are not proved keeps no proved one waiting`() {
    var bench = CoreBench()
    for n in 1...10_000 as ClosedRange<UInt32> {
      bench.hand(unproved(1_000_000 + n))
      bench.run(for: .microseconds(417))
    }
    let press = EventRecord.press(1)
    bench.press(press)
    #expect(bench.isAcked(press))
    #expect(bench.store.events.count < 1_000)
  }
}
