import AlertCore
import FobBase
import TestSupport
import Testing

/// G16: five wrong PINs make their source wait, and nobody is kept out for ever.
struct PINGuardTests {
  private static let start = Instant(microseconds: 1_000_000_000)

  /// Tries as soon as it may, always wrong.
  /// - Returns: the seconds waited before each try.
  private func waits(_ tries: Int, of source: String) -> [Int64] {
    var pins = PINGuard()
    var now = Self.start
    return (0..<tries).map { _ in
      let wait = pins.wait(source, at: now) ?? .zero
      now = now + wait
      #expect(pins.begin(source, at: now) == nil)
      return wait.microseconds / 1_000_000
    }
  }

  @Test func `five wrong ones are free, then 30 s, doubling to 15 minutes`() {
    #expect(
      waits(14, of: "a") == [0, 0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900, 900])
  }

  @Test func `a try before its time is refused, and does not make the wait longer`() {
    var pins = PINGuard()
    for _ in 0..<5 { #expect(pins.begin("a", at: Self.start) == nil) }
    for second: Int64 in 0..<30 {
      #expect(pins.begin("a", at: Self.start + .seconds(second)) == .seconds(30 - second))
    }
    #expect(pins.begin("a", at: Self.start + .seconds(30)) == nil)
  }

  @Test func `one source's wrong PINs are not another's`() {
    var pins = PINGuard()
    for _ in 0..<5 { _ = pins.begin("a", at: Self.start) }
    #expect(pins.wait("a", at: Self.start) != nil)
    #expect(pins.begin("b", at: Self.start) == nil)
  }

  @Test func `the right PIN clears what came before it`() {
    var pins = PINGuard()
    for _ in 0..<20 {
      for _ in 0..<4 { #expect(pins.begin("a", at: Self.start) == nil) }
      #expect(pins.begin("a", at: Self.start) == nil)
      pins.wasRight("a")
    }
  }

  @Test func `tries at one time count before any is answered`() {
    var pins = PINGuard()
    let granted = (0..<100).filter { _ in pins.begin("a", at: Self.start) == nil }
    #expect(granted.count == 5)
  }

  @Test func `many sources together are slowed to one try each 10 s`() {
    var pins = PINGuard()
    var granted = 0
    for second: Int64 in 0..<1_000 {
      for source in 0..<20 {
        let now = Self.start + .seconds(second)
        if pins.begin("s\(second)-\(source)", at: now) == nil { granted += 1 }
      }
    }
    #expect(granted == 25 + 99)
  }

  @Test func `who had it right is not slowed by others, however fast they try`() {
    var pins = PINGuard()
    #expect(pins.begin("owner", at: Self.start) == nil)
    pins.wasRight("owner")
    for n: Int64 in 0..<100_000 {
      let now = Self.start + .milliseconds(n)
      _ = pins.begin("s\(n)", at: now)
      guard n % 1_000 == 999 else { continue }
      #expect(pins.begin("owner", at: now) == nil)
      pins.wasRight("owner")
    }
    for _ in 0..<5 { #expect(pins.begin("owner", at: Self.start) == nil) }
    #expect(pins.begin("owner", at: Self.start) != nil, "its own wrong ones count")
  }

  @Test func `a source that was quiet for a day begins anew`() {
    var pins = PINGuard()
    for _ in 0..<5 { _ = pins.begin("a", at: Self.start) }
    let later = Self.start + .minutes(24 * 60)
    for _ in 0..<5 { #expect(pins.begin("a", at: later) == nil) }
    #expect(pins.begin("a", at: later) == .seconds(30))
  }

  @Test(arguments: UInt64(0)..<40)
  func `no source waits longer than its own wrong PINs and 10 s explain`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var pins = PINGuard()
    var now = Self.start
    var wrong: [String: Int] = [:]
    for _ in 0..<2_000 {
      now = now + random.interval(upTo: .seconds(Int64(1 + seed % 7)))
      let source = "s\(Int.random(in: 0..<Int(1 + seed), using: &random))"
      let count = wrong[source] ?? 0
      let own: Int64 = count < 5 ? 0 : min(30 << Int64(min(count - 5, 8)), 900)
      if let wait = pins.begin(source, at: now) {
        #expect(wait > .zero && wait <= .seconds(max(own, 10)))
        #expect(pins.wait(source, at: now + wait) == nil, "then it is its turn")
      } else if Int.random(in: 0..<8, using: &random) == 0 {
        pins.wasRight(source)
        wrong[source] = 0
      } else {
        wrong[source] = count + 1
      }
    }
  }
}
