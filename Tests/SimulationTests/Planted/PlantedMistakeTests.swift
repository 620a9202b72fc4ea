import Judge
import TestSupport
import Testing

@testable import Simulation

/// The search must find what is planted: else it would not find what is not.
struct PlantedMistakeTests {
  @Test(arguments: Soak.isOn ? PlantedMistake.allCases : PlantedMistake.common)
  func `each planted mistake is found`(_ mistake: PlantedMistake) {
    let (first, most): (UInt64, UInt64) = Soak.isOn ? (1, 10_000) : (mistake.firstSeed, 400)
    for seed in first..<first + most {
      let outcome = Schedule(seed: seed).play(sabotagedBy: Saboteur(mistake))
      guard let violation = outcome.violations.first else { continue }
      print("\(mistake.rawValue): found at seed \(seed), \(violation.rule.rawValue)")
      return
    }
    Issue.record("not found in \(most) seeds from \(first) on: \(mistake.rawValue)")
  }
}
