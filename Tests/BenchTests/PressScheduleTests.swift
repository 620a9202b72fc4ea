import FobBase
import TestSupport
import Testing

@testable import Bench

struct PressScheduleTests {
  private func schedule(rate: Double, keychains: Int, seed: UInt64 = 1) -> PressSchedule {
    PressSchedule(rate: rate, keychains: keychains, length: .seconds(20), seed: seed)
  }

  @Test(arguments: [(1.0, 1), (10, 1), (11.5, 1), (20, 2), (95, 10), (200, 20)])
  func `presses come at their rate, and no keychain is pressed before its finger is back`(
    rate: Double, keychains: Int
  ) {
    let presses = schedule(rate: rate, keychains: keychains).presses
    #expect(presses.count == Int(rate * 20))
    #expect(zip(presses, presses.dropFirst()).allSatisfy { $0.due < $1.due })
    for keychain in 0..<keychains {
      let dues = presses.filter { $0.keychain == keychain }.map(\.due)
      let shortest = zip(dues, dues.dropFirst()).map { $1 - $0 }.min()!
      #expect(shortest >= PressSchedule.minPeriod.microseconds - 1)
    }
  }

  @Test func `presses do not keep step with a second, and the same seed makes the same`() {
    let one = schedule(rate: 20, keychains: 2)
    #expect(one == schedule(rate: 20, keychains: 2))
    #expect(one != schedule(rate: 20, keychains: 2, seed: 2))
    let phases = one.presses.map { $0.due % 50_000 }
    #expect(phases.max()! - phases.min()! > 8_000)
  }

  @Test(arguments: [(10.0, 1), (20, 2), (40, 4), (100, 10)])
  func `trips of the floor stand in order, clear of what presses do`(
    rate: Double, keychains: Int
  ) {
    let schedule = schedule(rate: rate, keychains: keychains)
    #expect(schedule.floor.count == (schedule.presses.count - 1) * PressSchedule.tripsOfPress)
    let busy = schedule.presses.flatMap { press in
      [0, 15_000, 45_000].map { press.due + $0 }
    }.sorted()
    for (trip, next) in zip(schedule.floor, schedule.floor.dropFirst()) { #expect(trip < next) }
    let nearest = schedule.floor.map { trip in busy.map { abs($0 - trip) }.min()! }.sorted()
    // Of so many keychains somebody is always at work; of a few, nobody for milliseconds.
    #expect(nearest[nearest.count / 2] > Int64(rate > 50 ? 200 : 2_000))
  }

  @Test func `by hand there is the floor alone`() {
    let schedule = PressSchedule(rate: nil, keychains: 1, length: .seconds(10), seed: 1)
    #expect(schedule.presses.isEmpty)
    #expect(schedule.floor.count == 200)
    #expect(schedule.floor.last! < 10_000_000)
  }
}
