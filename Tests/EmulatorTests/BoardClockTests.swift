import FobBase
import TestSupport
import Testing

@testable import Emulator

@Suite struct BoardClockTests {
  private static let start = Instant(microseconds: 5_000_000_000)

  @Test(arguments: [Int32(0), 100, -100, 10_000, -10_000])
  func `reading and host instant are each other's inverse`(_ drift: Int32) {
    var random = SeededGenerator(seed: UInt64(bitPattern: Int64(drift)))
    let clock = BoardClock(bootedAt: Self.start, driftPPM: drift)
    for _ in 0..<2_000 {
      let host = Self.start + .microseconds(.random(in: 0...1_000_000_000_000, using: &random))
      let reading = clock.reading(at: host)
      let back = clock.hostInstant(ofStamp: reading, by: host + .milliseconds(1))
      #expect(abs((back - host).microseconds) <= 1)
      #expect(clock.reading(at: clock.hostInstant(dueAt: reading)) >= reading, "woken too early")
    }
    let hour = clock.reading(at: Self.start + .seconds(3_600)).microseconds
    #expect(hour == 3_600_000_000 + 3_600 * Int64(drift))
  }

  @Test(arguments: UInt64(1)...20)
  func `a fresh stamp is read as its moment, whatever the clock did since`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var clock = BoardClock(bootedAt: Self.start, driftPPM: 0)
    var now = Self.start + .seconds(20)
    for _ in 0..<200 {
      let stamp = clock.reading(at: now)
      let stamped = now
      // Longer than what passes until the stamp is read: else the clock says the same twice.
      let jump = Int64.random(in: 2_000_000...9_000_000, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: clock.jump(by: .microseconds(jump), at: now)
      case 1: if stamp.microseconds > jump { clock.jump(by: .microseconds(-jump), at: now) }
      default: clock.setDrift(.random(in: -500...500, using: &random), at: now)
      }
      now = now + .microseconds(.random(in: 1...1_000_000, using: &random))
      let read = clock.hostInstant(ofStamp: stamp, by: now)
      #expect(abs((read - stamped).microseconds) <= 2)
      now = now + .seconds(Int64.random(in: 0...30, using: &random))
    }
  }

  @Test func `a clock never goes below zero, and drift does not make it jump`() {
    var clock = BoardClock(bootedAt: Self.start, driftPPM: 0)
    let now = Self.start + .seconds(3)
    clock.jump(by: .seconds(-3_600), at: now)
    #expect(clock.reading(at: now) == Instant(microseconds: 0))
    let later = now + .seconds(10)
    let before = clock.reading(at: later)
    clock.setDrift(120, at: later)
    #expect(clock.reading(at: later) == before && clock.driftPPM == 120)
    #expect(clock.reading(at: later + .seconds(1)) == before + .microseconds(1_000_120))
  }
}
