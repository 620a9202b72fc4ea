import Judge
import TestSupport
import Testing

@testable import Simulation

/// The search must find what is planted: else it would not find what is not.
struct PlantedMistakeTests {
  private static let searched =
    (Soak.isOn ? PlantedMistake.allCases : PlantedMistake.common).filter { !$0.isOfSeal }

  @Test(arguments: searched)
  func `each planted mistake is found`(_ mistake: PlantedMistake) { search(for: mistake) }

  @Test(arguments: PlantedMistake.allCases.filter(\.isOfSeal))
  func `each mistake that is planted in the seal is found`(_ mistake: PlantedMistake) {
    search(for: mistake)
  }

  private func search(for mistake: PlantedMistake) {
    let (first, most): (UInt64, UInt64) = Soak.isOn ? (1, 10_000) : (mistake.firstSeed, 400)
    for seed in first..<first + most {
      let schedule = Schedule(seed: seed, isAttacked: mistake.isOfSeal)
      let outcome = schedule.play(sabotagedBy: Saboteur(mistake))
      guard let violation = outcome.violations.first else { continue }
      print("\(mistake.rawValue): found at seed \(seed), \(violation.rule.rawValue)")
      return
    }
    Issue.record("not found in \(most) seeds from \(first) on: \(mistake.rawValue)")
  }
}
