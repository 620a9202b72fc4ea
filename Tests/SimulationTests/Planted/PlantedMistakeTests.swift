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
    expectFound(mistake.rawValue, in: first..<first + most) { seed in
      Schedule(seed: seed, isAttacked: mistake.isOfSeal)
        .play(sabotagedBy: Saboteur(mistake)).violations
    }
  }
}
