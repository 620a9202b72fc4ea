import FobBase
import Testing

@testable import Console

/// When the requests of strangers begin.
struct AnonymousRateLimitTests {
  private static let start = Instant(microseconds: 1_000_000)

  private var pace = AnonymousRateLimit(every: .milliseconds(2))

  @Test mutating func `one that comes alone begins at once`() {
    for round in 0..<5 {
      #expect(pace.take(at: Self.start + .milliseconds(2 * Int64(round))) == .zero)
    }
  }

  @Test mutating func `each of many waits for those before it`() {
    for place in 0..<1_000 {
      #expect(pace.take(at: Self.start) == .milliseconds(2 * Int64(place)))
    }
    #expect(pace.take(at: Self.start + .seconds(2)) == .zero)
  }

  @Test mutating func `who has left keeps nobody waiting`() {
    for _ in 0..<1_000 {
      _ = pace.take(at: Self.start)
      pace.giveBack()
    }
    #expect(pace.take(at: Self.start) == .zero)
    // Not even for what is to come.
    #expect(pace.take(at: Self.start) == .milliseconds(2))
  }
}
