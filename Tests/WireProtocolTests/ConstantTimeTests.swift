import TestSupport
import Testing

/// The time that the seal takes tells nothing of keys and tags. What is shipped is compiled and
/// measured by `scripts/constant-time.sh`; here it is the debug build.
@Suite(.serialized) struct ConstantTimeTests {
  /// Caches and neighbours make kinds of a debug build differ by some thousandths, which a t-test
  /// finds; a loop that ends early, by more than this.
  private static let smallest = 0.02

  @Test(arguments: TimingLeak.honest)
  func `the time does not tell of the secret`(operation: TimingLeak) {
    // Other tests may make a run look like a leak; a leak looks like one in every run.
    let runs = (1...9).lazy.map { operation.outcome(rounds: 20_000, seed: $0) }
    let isSafe = runs.contains { $0.t < TimingLeak.certain || $0.difference < Self.smallest }
    #expect(isSafe, "\(operation.rawValue): \(Array(runs))")
  }

  @Test func `a comparison that stops at the first wrong byte is found`() {
    let runs = (1...3).lazy.map { TimingLeak.stopsEarly.outcome(rounds: 20_000, seed: $0) }
    let isFound = runs.contains { $0.t > TimingLeak.certain && $0.difference > Self.smallest }
    #expect(isFound, "\(Array(runs))")
  }
}
