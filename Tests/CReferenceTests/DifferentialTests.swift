import TestSupport
import Testing

/// The reference in C beside WireProtocol on seeded damage. `scripts/c-reference.sh` runs the same
/// in full numbers.
struct DifferentialTests {
  private static let inputs = Soak.isOn ? 2_000_000 : 20_000

  @Test(arguments: UInt64(1)...4)
  func `C and Swift say the same of the same bytes`(_ seed: UInt64) throws {
    let corpus = try FrameVectors.load().samples.map(\.wire)
    var run = DifferentialRun(corpus: corpus, seed: seed)
    for _ in 0..<Self.inputs / 4 {
      if let difference = run.next() {
        Issue.record("seed \(seed), input \(run.inputs): \(difference)")
        return
      }
    }
    print("C reference: \(run.summary)")
    #expect(run.frames > 1_000 && run.refused > 1_000)
  }
}
