import Foundation

/// One or several runs, as a file has them: runs of many machines become one by `merged`.
package struct RunDocument: Codable, Equatable, Sendable {
  package enum Verdict: String, Codable, Sendable, CaseIterable {
    case failed, passed
    case notTested = "not_tested"
    case notRun = "not_run"

    init(_ verdict: CaseOutcome.Verdict) {
      switch verdict {
      case .passed: self = .passed
      case .failed: self = .failed
      case .notTested: self = .notTested
      case .notRun: self = .notRun
      }
    }

    /// Of two runs' verdicts of one case the one that stands: a failure anywhere, or else what some
    /// run could test.
    func merged(with other: Verdict) -> Verdict {
      Self.allCases.first { $0 == self || $0 == other } ?? self
    }
  }

  package struct Case: Codable, Equatable, Sendable {
    package let id: String
    package let name: String
    package let section: String
    package let verdict: Verdict
    package let reason: String?
    package let steps: [String]
    let milliseconds: Double
    let capture: String?
    package let `repeat`: String?
  }

  /// Why documents do not make one.
  package struct Mismatch: Error, Equatable {
    /// The two programs.
    package let one: String
    package let other: String
  }

  /// The program and its version.
  package let application: String
  /// Of several runs each rig once, with `; ` between them, as actuator and seed.
  package let rig: String
  package let actuator: String
  /// As text, since a JSON number need not hold 64 bits.
  package let seed: String
  package let passed: Int
  package let failed: Int
  package let notTested: Int
  package let notRun: Int
  package let cases: [Case]

  enum CodingKeys: String, CodingKey {
    case application, rig, actuator, seed, passed, failed, cases
    case notTested = "not_tested"
    case notRun = "not_run"
  }

  init(application: String, rig: String, actuator: String, seed: String, cases: [Case]) {
    self.application = application
    self.rig = rig
    self.actuator = actuator
    self.seed = seed
    self.cases = cases
    func count(_ verdict: Verdict) -> Int { cases.count { $0.verdict == verdict } }
    passed = count(.passed)
    failed = count(.failed)
    notTested = count(.notTested)
    notRun = count(.notRun)
  }

  /// Counts anew: what a file says of them may be wrong.
  package init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      application: try fields.decode(String.self, forKey: .application),
      rig: try fields.decode(String.self, forKey: .rig),
      actuator: try fields.decode(String.self, forKey: .actuator),
      seed: try fields.decode(String.self, forKey: .seed),
      cases: try fields.decode([Case].self, forKey: .cases))
  }

  /// Both runs as one: of a case in both, the first that has the verdict which stands.
  package func merged(with other: RunDocument) throws(Mismatch) -> RunDocument {
    guard application == other.application else {
      throw Mismatch(one: application, other: other.application)
    }
    var cases = cases
    var places = Dictionary(cases.indices.map { (cases[$0].id, $0) }) { first, _ in first }
    for new in other.cases {
      guard let place = places[new.id] else {
        places[new.id] = cases.count
        cases.append(new)
        continue
      }
      let standing = cases[place].verdict.merged(with: new.verdict)
      if cases[place].verdict != standing { cases[place] = new }
    }
    return RunDocument(
      application: application, rig: Self.joined(rig, other.rig),
      actuator: Self.joined(actuator, other.actuator), seed: Self.joined(seed, other.seed),
      cases: cases)
  }

  private static func joined(_ one: String, _ other: String) -> String {
    let known = one.components(separatedBy: "; ")
    let new = other.components(separatedBy: "; ").filter { !known.contains($0) }
    return (known + new).joined(separator: "; ")
  }

  /// As one JSON object.
  /// - Parameter isPretty: over several lines, with a newline at its end; else one line without.
  package func json(isPretty: Bool) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    return String(decoding: try encoder.encode(self), as: UTF8.self) + (isPretty ? "\n" : "")
  }
}
