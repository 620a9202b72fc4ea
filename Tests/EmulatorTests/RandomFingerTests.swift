import FobBase
import TestSupport
import Testing

@testable import Emulator

@Suite struct RandomFingerTests {
  @Test func `the same seed makes the same presses, another seed others`() {
    let times = [1, 1, 2].map { seed in presses(seed: seed, every: .seconds(30), count: 50) }
    #expect(times[0] == times[1])
    #expect(times[0] != times[2])
  }

  @Test func `the times between presses are exponential with the mean that was asked for`() {
    let count = 20_000
    let mean: Int64 = 30_000_000
    let times = presses(seed: 7, every: Interval(microseconds: mean), count: count)
    let gaps = zip(times.dropFirst(), times).map { $0 - $1 }
    let measured = gaps.reduce(0, +) / Int64(gaps.count)
    #expect(abs(measured - mean) < mean / 30)
    // Of an exponential distribution, 1 - 1/e of all lie below the mean.
    let below = Double(gaps.count { $0 < mean }) / Double(gaps.count)
    #expect(abs(below - 0.632) < 0.015)
  }

  @Test func `what came due while nobody looked is one press, not many`() {
    var finger = RandomFinger(
      RandomPresses(every: .milliseconds(5), seed: 1), at: Instant(microseconds: 0))
    let late = Instant(microseconds: 3_600_000_000)
    #expect(finger.take(upTo: late) != nil)
    #expect(finger.take(upTo: late) == nil)
  }

  @Test func `no mean that can be written makes it trap`() {
    var random = SeededGenerator(seed: 5)
    for bits in [Int64.min, -1, 0, 1, .max] {
      let presses = RandomPresses(every: Interval(microseconds: bits), seed: random.next())
      var finger = RandomFinger(presses, at: Instant(microseconds: 0))
      for _ in 0..<100 { _ = finger.take(upTo: finger.next) }
    }
  }

  private func presses(seed: UInt64, every mean: Interval, count: Int) -> [Int64] {
    var finger = RandomFinger(
      RandomPresses(every: mean, seed: seed), at: Instant(microseconds: 0))
    return (0..<count).map { _ in
      let due = finger.next
      let hold = finger.take(upTo: due)
      #expect(hold.map { (.milliseconds(40) ... .milliseconds(250)).contains($0) } == true)
      return due.microseconds
    }
  }
}
