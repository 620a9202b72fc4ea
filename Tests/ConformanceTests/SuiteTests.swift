import Testing

@testable import Conformance

struct SuiteTests {
  @Test func `the production firmware passes every case`() throws {
    let outcomes = try ConformanceRun(on: MemoryRig(), seed: 1).run(Suite.cases)
    for outcome in outcomes {
      #expect(
        outcome.isPassed,
        "\(outcome.tested.id): \(outcome.reason ?? "")\n\(outcome.steps.joined(separator: "\n"))")
    }
  }
}
