import AlertCore
import FobBase
import TestSupport
import Testing

/// G16: five wrong PINs make their source wait, and nobody is kept out for ever.
struct PINGuardTests {
  private static let start = Instant(microseconds: 1_000_000_000)

  /// Tries as soon as it may, always wrong.
  /// - Returns: the seconds waited before each try.
  private func waits(_ tries: Int, of source: PINSource) -> [Int64] {
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
      waits(14, of: .token("a")) == [0, 0, 0, 0, 0, 30, 60, 120, 240, 480, 900, 900, 900, 900])
  }

  @Test func `a try before its time is refused, and does not make the wait longer`() {
    var pins = PINGuard()
    for _ in 0..<5 { #expect(pins.begin(.token("a"), at: Self.start) == nil) }
    for second: Int64 in 0..<30 {
      #expect(pins.begin(.token("a"), at: Self.start + .seconds(second)) == .seconds(30 - second))
    }
    #expect(pins.begin(.token("a"), at: Self.start + .seconds(30)) == nil)
  }

  @Test func `one source's wrong PINs are not another's`() {
    var pins = PINGuard()
    for _ in 0..<5 { _ = pins.begin(.token("a"), at: Self.start) }
    #expect(pins.wait(.token("a"), at: Self.start) != nil)
    #expect(pins.begin(.token("b"), at: Self.start) == nil)
  }

  @Test func `the right PIN clears what came before it`() {
    var pins = PINGuard()
    for _ in 0..<20 {
      for _ in 0..<4 { #expect(pins.begin(.token("a"), at: Self.start) == nil) }
      #expect(pins.begin(.token("a"), at: Self.start) == nil)
      pins.wasRight(.token("a"))
    }
  }

  @Test func `tries at one time count before any is answered`() {
    var pins = PINGuard()
    let granted = (0..<100).filter { _ in pins.begin(.token("a"), at: Self.start) == nil }
    #expect(granted.count == 5)
  }

  /// The guesses of each day by whoever tries as soon as it may, each time by another source.
  private func guesses(days: Int, by source: (Int) -> PINSource) -> [Int] {
    var pins = PINGuard()
    var counts = Array(repeating: 0, count: days)
    var now = Self.start
    var tries = 0
    while true {
      let source = source(tries)
      now = now + (pins.wait(source, at: now) ?? .zero)
      let day = Int((now - Self.start).microseconds / (24 * 3_600_000_000))
      guard day < days else { return counts }
      #expect(pins.begin(source, at: now) == nil)
      counts[day] += 1
      tries += 1
    }
  }

  @Test
  func `however many tokens guess, 39 PINs are tried in the first day, and 24 in each further`() {
    #expect(guesses(days: 4) { .token("t\($0)") } == [39, 24, 24, 24])
  }

  @Test func `one source guesses 104 PINs in the first day, and 96 in each further`() {
    #expect(guesses(days: 4) { _ in .session("a") } == [104, 96, 96, 96])
    #expect(guesses(days: 2) { _ in .here } == [104, 96])
  }

  @Test func `visitors of the page guess 34 PINs in the first day, and slow nobody else`() {
    #expect(guesses(days: 4) { _ in .visitor } == [34, 24, 24, 24])
    var pins = PINGuard()
    for _ in 0..<5 { #expect(pins.begin(.visitor, at: Self.start) == nil) }
    #expect(pins.begin(.visitor, at: Self.start) == .seconds(30))
    #expect(pins.begin(.token("new"), at: Self.start) == nil)
    #expect(pins.begin(.session("page"), at: Self.start) == nil)
  }

  @Test func `strangers, however fast, never keep out the owner at this host or on the page`() {
    var pins = PINGuard()
    for n: Int64 in 0..<100_000 {
      let now = Self.start + .milliseconds(n)
      _ = pins.begin(.token("s\(n % 300)"), at: now)
      guard n % 1_000 == 999 else { continue }
      for owner in [PINSource.here, .session("page")] {
        #expect(pins.begin(owner, at: now) == nil)
        pins.wasRight(owner)
      }
    }
    #expect(pins.wait(.token("new"), at: Self.start + .seconds(100)) != nil)
  }

  @Test func `who had it right is not slowed by others, however fast they try`() {
    var pins = PINGuard()
    #expect(pins.begin(.token("owner"), at: Self.start) == nil)
    pins.wasRight(.token("owner"))
    for n: Int64 in 0..<100_000 {
      let now = Self.start + .milliseconds(n)
      _ = pins.begin(.token("s\(n)"), at: now)
      guard n % 1_000 == 999 else { continue }
      #expect(pins.begin(.token("owner"), at: now) == nil)
      pins.wasRight(.token("owner"))
    }
    for _ in 0..<5 { #expect(pins.begin(.token("owner"), at: Self.start) == nil) }
    #expect(pins.begin(.token("owner"), at: Self.start) != nil, "its own wrong ones count")
  }

  @Test func `a source that was quiet for a day begins anew`() {
    var pins = PINGuard()
    for _ in 0..<5 { _ = pins.begin(.token("a"), at: Self.start) }
    let later = Self.start + .minutes(24 * 60)
    for _ in 0..<5 { #expect(pins.begin(.token("a"), at: later) == nil) }
    #expect(pins.begin(.token("a"), at: later) == .seconds(30))
  }

  @Test(arguments: UInt64(0)..<40)
  func `no source waits longer than its own wrong PINs and those of all explain`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var pins = PINGuard()
    var now = Self.start
    var wrong: [PINSource: Int] = [:]
    var known: Set<PINSource> = []
    var all = 0
    func longest(_ count: Int, free: Int, limit: Int64) -> Int64 {
      count < free ? 0 : min(30 << Int64(min(count - free, 8)), limit)
    }
    for _ in 0..<2_000 {
      now = now + random.interval(upTo: .seconds(Int64(1 + seed % 7)))
      let source = PINSource.token("s\(Int.random(in: 0..<Int(1 + seed), using: &random))")
      let count = wrong[source] ?? 0
      let own = longest(count, free: 5, limit: 900)
      let strangers = known.contains(source) ? 0 : longest(all, free: 10, limit: 3_600)
      if let wait = pins.begin(source, at: now) {
        #expect(wait > .zero && wait <= .seconds(max(own, strangers)))
        #expect(pins.wait(source, at: now + wait) == nil, "then it is its turn")
      } else if Int.random(in: 0..<8, using: &random) == 0 {
        pins.wasRight(source)
        wrong[source] = 0
        known.insert(source)
      } else {
        wrong[source] = count + 1
        if !known.contains(source) { all += 1 }
      }
    }
  }
}
