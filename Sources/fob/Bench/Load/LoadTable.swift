import Bench
import Simulation

/// The steps of a load as a table, a row each, and what they come to.
enum LoadTable {
  private static let heads = [
    "keychains", "presses", "lost", "press→decided p50", "p99", "stored→decided p50", "p99",
    "late p99", "emulator", "bridge", "memory", "scarcest",
  ]

  static var head: String { row(heads) }

  static func row(of step: LoadStep) -> String {
    if let refusal = step.refusal { return "\(pad(step.keychains, heads[0]))  \(refusal)" }
    return row([
      "\(step.keychains)", "\(step.presses)", "\(step.lost + step.doubled)",
      time(step.pressToDecided?.median), time(step.pressToDecided?.p99),
      time(step.storedToDecided?.median), time(step.storedToDecided?.p99), time(step.lateP99),
      cost(step.emulatorTime), cost(step.bridgeTime),
      "\((step.emulatorMemory + step.bridgeMemory) / 1_024) KiB",
      ResourceUse.scarcest(step.uses).map { "\($0.resource.rawValue) \(percent($0.share))" } ?? "-",
    ])
  }

  /// Each number of keychains beside the least: the medians over rounds of the p99s.
  static func ratios(_ steps: [LoadStep]) -> [String] {
    let counts = Set(steps.map(\.keychains)).sorted()
    guard let least = counts.first else { return [] }
    return counts.dropFirst().compactMap { count in
      let words: [String] = [
        ("press→decided", \LoadStep.pressToDecided), ("stored→decided", \.storedToDecided),
      ].compactMap { name, path in
        guard let many = middle(steps, count, path), let few = middle(steps, least, path), few > 0
        else { return nil }
        return "\(name) \(time(many)) / \(time(few)) = \(hundredths(Double(many) / Double(few)))"
      }
      return words.isEmpty ? nil : "p99 of \(count) / of \(least): " + words.joined(separator: ", ")
    }
  }

  private static func middle(
    _ steps: [LoadStep], _ count: Int, _ path: KeyPath<LoadStep, Spread?>
  ) -> Int64? {
    Spread(steps.filter { $0.keychains == count }.compactMap { $0[keyPath: path]?.p99 })?.median
  }

  private static func row(_ fields: [String]) -> String {
    zip(fields, heads).map { NumberText.right($0, max(9, $1.count)) }.joined(separator: "  ")
  }

  private static func pad(_ number: Int, _ head: String) -> String {
    NumberText.right("\(number)", max(9, head.count))
  }

  private static func time(_ microseconds: Int64?) -> String {
    guard let microseconds else { return "-" }
    return microseconds < 10_000
      ? "\(microseconds) µs" : "\(tenths(Double(microseconds) / 1_000)) ms"
  }

  private static func cost(_ microseconds: Double) -> String { "\(tenths(microseconds)) µs" }

  private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded())) %" }

  private static func tenths(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

  private static func hundredths(_ value: Double) -> String { "\((value * 100).rounded() / 100)" }
}
