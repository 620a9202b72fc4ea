import FobBase
import TestSupport
import Testing

struct RateLimiterTests {
  private let pace = RateLimit(burst: 4, every: .seconds(1), longest: .seconds(8))

  @Test func `the first ones pass at once, the rest waits`() {
    var pacer = RateLimiter(pace)
    let passed = (0..<100).map { _ in pacer.take(at: .start) }
    #expect(Array(passed.prefix(4)) == [1, 1, 1, 1])
    #expect(passed.dropFirst(4).allSatisfy { $0 == nil })
    #expect(pacer.held == 96 && pacer.due == Instant.start + .seconds(1))
  }

  @Test func `what passes says for how many it stands, and none is counted twice or left out`() {
    var pacer = RateLimiter(pace)
    var random = SeededGenerator(seed: 7)
    var now = Instant.start
    var asked: UInt32 = 0
    var told: UInt32 = 0
    for _ in 0..<20_000 {
      now = now + .microseconds(Int64.random(in: 0...3_000_000, using: &random) >> 6)
      if Bool.random(using: &random) {
        asked += 1
        told += pacer.take(at: now) ?? 0
      } else {
        told += pacer.takeHeld(at: now) ?? 0
      }
      #expect(told + pacer.held == asked)
    }
  }

  @Test func `while more is asked for, the period doubles up to the longest`() {
    var pacer = RateLimiter(RateLimit(burst: 1, every: .seconds(1), longest: .seconds(8)))
    var passed: [Int64] = []
    for ms in Int64(0)..<60_000 where pacer.take(at: .start + .milliseconds(ms)) != nil {
      passed.append(ms)
    }
    #expect(passed == [0, 1_000, 3_000, 7_000, 15_000, 23_000, 31_000, 39_000, 47_000, 55_000])
  }

  @Test func `whoever was held back nothing for the longest period begins anew`() {
    var pacer = RateLimiter(pace)
    for ms in Int64(0)..<30_000 { _ = pacer.take(at: .start + .milliseconds(ms)) }
    let later = Instant.start + .seconds(38)
    let passed = (0..<5).map { _ in pacer.take(at: later) }
    #expect(Array(passed.dropFirst()) == [1, 1, 1, nil])
    #expect(pacer.due == later + .seconds(1))
  }

  @Test func `who keeps to the pace is never held back`() {
    var pacer = RateLimiter(pace)
    let passed = (0..<10_000).map { pacer.take(at: .start + .seconds($0)) }
    #expect(passed.allSatisfy { $0 == 1 } && pacer.due == nil)
  }

  @Test func `of what is held back the latest is told`() {
    var paced = Coalesced<Int>(RateLimit(burst: 1, every: .seconds(1), longest: .seconds(8)))
    let told: [Int?] = (1...9).map { paced.take($0, at: .start)?.value }
    #expect(told == [1] + Array(repeating: nil, count: 8))
    let early = paced.takeHeld(at: .start + .milliseconds(999))
    let held = paced.takeHeld(at: .start + .seconds(1))
    let later = paced.takeHeld(at: .start + .seconds(60))
    #expect(early?.value == nil && later?.value == nil && paced.due == nil)
    #expect(held?.value == 9 && held?.count == 8)
  }
}

extension Instant {
  fileprivate static let start = Instant(microseconds: 5_000_000)
}
