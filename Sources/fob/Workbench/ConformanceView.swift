import Conformance

/// `GET /v1/bench/conformance`.
struct ConformanceView: Encodable {
  struct Outcome: Encodable, Sendable {
    /// As in `reliability/ack-lost`.
    let `case`: String
    let chapter: String
    /// A sentence.
    let name: String
    /// passed, failed, notTested or notRun.
    let verdict: String
    /// Of a case that did not pass.
    let reason: String?

    init(_ outcome: CaseOutcome) {
      `case` = outcome.tested.id
      chapter = outcome.tested.chapter.rawValue
      name = outcome.tested.name
      reason = outcome.reason
      verdict =
        switch outcome.verdict {
        case .passed: "passed"
        case .failed: "failed"
        case .notTested: "notTested"
        case .notRun: "notRun"
        }
    }
  }

  /// What can be run.
  struct Part: Encodable {
    let chapter: String
    let title: String
    let cases: Int
    let quickCases: Int

    init(_ chapter: Chapter) {
      self.chapter = chapter.rawValue
      title = chapter.title
      cases = Suite.cases(of: chapter).count
      quickCases = Suite.cases(of: chapter).count { !$0.isLong }
    }
  }

  let judged =
    "the production firmware on a board of memory, in virtual time; a real device is judged by"
    + " fob conform, since its line has one host"
  let isRunning: Bool
  let done: Int
  let total: Int
  let outcomes: [Outcome]
  let summary: String?
  let isGood: Bool?
  let chapters = Chapter.allCases.map { Part($0) }

  init(isRunning: Bool, total: Int, outcomes: [CaseOutcome], report: RunReport?) {
    self.isRunning = isRunning
    done = outcomes.count
    self.total = total
    self.outcomes = outcomes.map { Outcome($0) }
    summary = report?.summary
    isGood = report?.isGood
  }
}
