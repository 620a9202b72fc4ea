import FobBase

/// The violations of one run, the first ones: what follows a broken rule mostly follows from it.
struct ViolationLog: Sendable {
  static let most = 16

  private(set) var violations: [Violation] = []

  mutating func accuse(
    _ rule: Violation.Rule, at now: Instant, _ detail: @autoclosure () -> String
  ) {
    guard violations.count < Self.most else { return }
    violations.append(Violation(rule, at: now, detail()))
  }
}
