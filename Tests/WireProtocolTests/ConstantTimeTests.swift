import TestSupport
import Testing

/// The time that the seal takes tells nothing of keys and tags. What is shipped is compiled and
/// measured by `scripts/constant-time.sh`; here it is the debug build.
@Suite(.serialized) struct ConstantTimeTests {
  @Test(arguments: TimingLeak.honest)
  func `the time does not tell of the secret`(operation: TimingLeak) {
    // Other tests may make a run look like a leak; a leak looks like one in every run.
    let runs = (1...9).lazy.map { operation.t(rounds: 20_000, seed: $0) }
    #expect(runs.contains { $0 < TimingLeak.certain }, "\(operation.rawValue): \(Array(runs))")
  }

  @Test func `a comparison that stops at the first wrong byte is found`() {
    let runs = (1...3).lazy.map { TimingLeak.stopsEarly.t(rounds: 20_000, seed: $0) }
    #expect(runs.contains { $0 > TimingLeak.certain }, "\(Array(runs))")
  }
}
