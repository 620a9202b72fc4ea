import FobBase
import Testing

@testable import Transport

/// How long a port is listened to.
struct ListeningLimitTests {
  private let start = Instant(microseconds: 1_000_000)

  @Test func `it ends at its deadline, however much is heard until then`() {
    var limit = ListeningLimit(until: start + .seconds(1))
    for _ in 1...1_000 {
      #expect(limit.isOpen(at: start + .milliseconds(999)))
      limit.take(1)
    }
    #expect(!limit.isOpen(at: start + .seconds(1)) && !limit.isOpen(at: start + .seconds(2)))
  }

  @Test func `it ends before, where more is heard than a keychain keeps`() {
    var limit = ListeningLimit(until: start + .seconds(1))
    limit.take(ListeningLimit.mostBytes - 1)
    #expect(limit.isOpen(at: start))
    limit.take(512)
    #expect(!limit.isOpen(at: start))
  }
}
