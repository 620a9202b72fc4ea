/// Outcomes of all rules and debounce times, as a table, a drawing, and JSON.
public struct DebounceReport: Encodable, Equatable, Sendable {
  public let bench = "debounce"
  public let seed: UInt64
  /// Contacts of each kind.
  public let count: Int
  /// By rule, then by time.
  public let outcomes: [DebounceOutcome]

  public init(seed: UInt64, count: Int, outcomes: [DebounceOutcome]) {
    self.seed = seed
    self.count = count
    self.outcomes = outcomes
  }

  /// What the keychain does today, where it was measured.
  var standard: DebounceOutcome? {
    outcomes.first {
      $0.rule == DebounceBench.standard.rule && $0.time == DebounceBench.standard.time
    }
  }

  /// Those of the rule that are as safe as the keychain is today.
  func asSafe(_ rule: DebounceBench.Rule) -> [DebounceOutcome] {
    guard let standard else { return [] }
    return outcomes(of: rule).filter { $0.isAsSafe(as: standard) }
  }

  func outcomes(of rule: DebounceBench.Rule) -> [DebounceOutcome] {
    outcomes.filter { $0.rule == rule }.sorted { $0.time < $1.time }
  }

  /// A line for each debounce time, then what follows from them.
  public var lines: [String] {
    let rules = DebounceBench.Rule.allCases
    let head = rules.map { FigureText.right($0.rawValue, Self.width) }.joined()
    let columns = Self.row("missed", "doubled", "false", "median")
    let rows = Set(outcomes.map(\.time)).sorted().map { time in
      FigureText.right("\(time) ms", 5)
        + rules.map { rule in
          outcomes.first { $0.rule == rule && $0.time == time }.map(Self.row)
            ?? Self.row("", "", "", "")
        }.joined()
    }
    return [opening, "", "     " + head, " time" + rules.map { _ in columns }.joined()]
      + rows + conclusions
  }

  private var opening: String {
    "debounce: \(FigureText.count(count, "contact")) of each of"
      + " \(ContactKind.allCases.count) kinds, seed \(seed)"
  }

  private var conclusions: [String] {
    guard let standard else { return [] }
    let others = DebounceBench.Rule.allCases.filter { $0 != standard.rule }
    let shown =
      [standard]
      + others.compactMap { rule in
        asSafe(rule).first ?? outcomes(of: rule).first { $0.time == standard.time }
      }
    return ["", "As safe as the \(standard.rule.rawValue) at \(standard.time) ms:"]
      + others.map { "  \($0.rawValue): \(times(asSafe($0)))" }
      + ["", "By kind (missed, doubled, false):"] + kinds(shown)
  }

  private func times(_ outcomes: [DebounceOutcome]) -> String {
    guard let first = outcomes.first, let last = outcomes.last else { return "at no debounce time" }
    return first == last ? "at \(first.time) ms" : "at \(first.time) to \(last.time) ms"
  }

  private func kinds(_ shown: [DebounceOutcome]) -> [String] {
    let head = shown.map { FigureText.right("\($0.rule.rawValue) \($0.time)", 16) }.joined()
    return [FigureText.left("", 12) + head]
      + ContactKind.allCases.map { kind in
        let cells = shown.map { outcome in
          outcome.kinds.first { $0.kind == kind }.map {
            FigureText.right("\($0.missed) \($0.doubled) \($0.falseAlarms)", 16)
          } ?? ""
        }
        return FigureText.left("  \(kind.rawValue)", 12) + cells.joined() + "  " + kind.meaning
      }
  }

  private static let width = 31

  private static func row(_ outcome: DebounceOutcome) -> String {
    row(
      "\(outcome.missed)", "\(outcome.doubled)", "\(outcome.falseAlarms)",
      outcome.median.map { FigureText.duration(Double($0)) } ?? "–")
  }

  private static func row(_ cells: String...) -> String {
    zip(cells, [7, 8, 7, 9]).map { FigureText.right($0, $1) }.joined()
  }
}
