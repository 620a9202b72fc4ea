import Testing

@testable import Conformance

/// The suite is only as good as what it finds: production firmware, made wrong on purpose.
struct MutantTests {
  @Test(arguments: Mutant.all)
  func `is found out by the cases that ought to`(_ mutant: Mutant) {
    let chapters = Set(mutant.caughtBy.compactMap { $0.split(separator: "/").first })
    let cases = Suite.cases.filter { chapters.contains($0.chapter.rawValue[...]) }
    let outcomes = ConformanceRun(on: MemoryRig(tampering: mutant.make), seed: 7).run(cases)
    let failed = outcomes.filter(\.isFailed).map(\.tested.id)
    for id in mutant.caughtBy { #expect(failed.contains(id), "of \(failed)") }
  }

  /// What stands between firmware and host while it is tampered with is no fault by itself.
  @Test func `an honest one passes every case`() {
    let outcomes = ConformanceRun(on: MemoryRig(tampering: { WireMutant() }), seed: 7)
      .run(Suite.cases)
    for outcome in outcomes {
      #expect(outcome.isPassed, "\(outcome.tested.id): \(outcome.reason ?? "")")
    }
  }

  @Test func `is named once, and every case that it names is there`() {
    #expect(Set(Mutant.all.map(\.name)).count == Mutant.all.count)
    let ids = Set(Suite.cases.map(\.id))
    for mutant in Mutant.all {
      #expect(!mutant.caughtBy.isEmpty && ids.isSuperset(of: mutant.caughtBy), "\(mutant.name)")
    }
  }
}
