import Judge
import Testing

/// Plays worlds in which a mistake is planted, until one of them shows it.
/// - Parameters:
///   - mistake: in words.
///   - seeds: of the worlds, each tried once.
///   - play: the rules that the world of a seed broke.
func expectFound(
  _ mistake: String, in seeds: Range<UInt64>, _ play: (UInt64) -> [Violation]
) {
  for seed in seeds {
    guard let violation = play(seed).first else { continue }
    print("\(mistake): found at seed \(seed), \(violation)")
    return
  }
  Issue.record("not found in seeds \(seeds): \(mistake)")
}
