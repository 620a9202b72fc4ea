import FobBase
import Foundation

extension RunReport {
  private struct Document: Encodable {
    struct Case: Encodable {
      let id: String
      let name: String
      let section: String
      /// passed, failed, not_tested or not_run.
      let verdict: String
      let reason: String?
      let steps: [String]
      let milliseconds: Double
      let capture: String?
      let `repeat`: String?
    }

    let application: String
    let rig: String
    let actuator: String
    /// A text: a JSON number need not hold 64 bits.
    let seed: String
    let passed: Int
    let failed: Int
    let notTested: Int
    let notRun: Int
    let cases: [Case]

    enum CodingKeys: String, CodingKey {
      case application, rig, actuator, seed, passed, failed, cases
      case notTested = "not_tested"
      case notRun = "not_run"
    }
  }

  /// The run as one JSON object.
  package func json() throws -> String {
    let document = Document(
      application: application, rig: rig, actuator: actuator, seed: String(seed), passed: passed,
      failed: failed.count, notTested: notTested, notRun: notRun,
      cases: outcomes.map { outcome in
        Document.Case(
          id: outcome.tested.id, name: outcome.tested.name, section: outcome.tested.section,
          verdict: outcome.word.lowercased().replacing(" ", with: "_"), reason: outcome.reason,
          steps: outcome.steps, milliseconds: Double(outcome.took.microseconds) / 1_000,
          capture: captures[outcome.tested.id],
          repeat: outcome.isFailed ? repeating(outcome) : nil)
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(document), as: UTF8.self) + "\n"
  }
}
