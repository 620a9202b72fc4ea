import FobBase
import TestSupport
import Testing

struct InstantTests {
  @Test func `units are microseconds`() {
    #expect(Interval.microseconds(7).microseconds == 7)
    #expect(Interval.milliseconds(7).microseconds == 7_000)
    #expect(Interval.seconds(7).microseconds == 7_000_000)
    #expect(Interval.minutes(7).microseconds == 420_000_000)
  }

  @Test func `an instant before the clock began can be said`() {
    let boot = Instant(microseconds: 0)
    #expect(boot - .seconds(1) < boot)
    #expect((boot - .seconds(1)).microseconds == -1_000_000)
  }

  @Test func `an interval is negative where the order is undone`() {
    let early = Instant(microseconds: 5)
    let late = Instant(microseconds: 9)
    #expect(late - early == .microseconds(4))
    #expect(early - late == .microseconds(-4))
    #expect(early - late < .zero)
  }

  @Test(arguments: UInt64(1)...4)
  func `adding and taking away are each other's inverse`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<1_000 {
      let a = Instant(microseconds: Int64(bitPattern: random.next()))
      let d = Interval(microseconds: Int64(bitPattern: random.next()))
      #expect(a + d - d == a)
      #expect(a + (Instant(microseconds: 0) - a) == Instant(microseconds: 0))
      #expect(.zero + d - d == Interval.zero)
    }
  }

  @Test func `corrupt times wrap and do not trap`() {
    let last = Instant(microseconds: .max)
    #expect((last + .microseconds(1)).microseconds == .min)
    #expect(Interval.seconds(.max).microseconds != 0)
    #expect(Instant(microseconds: .min) - last == .microseconds(1))
  }
}
