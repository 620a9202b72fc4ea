import ArgumentParser
import Conformance
import Console
import FobBase
import SerialIO
import Synchronization

/// Conformance runs of this process, one at a time, each on a thread of its own: the production
/// firmware on a board of memory, in virtual time.
final class ConformanceRuns: Sendable {
  /// Tells of progress, from the run's thread.
  typealias Tell = @Sendable (Progress) -> Void

  private struct State {
    var total = 0
    var outcomes: [CaseOutcome] = []
    var report: RunReport?
    var isRunning = false
    var isStopping = false
  }

  /// As `fob conform memory:` has it, which repeats a case by it.
  private static let seed: UInt64 = 1
  private let state = Mutex(State())
  private let tell: Tell

  init(_ tell: @escaping Tell) { self.tell = tell }

  func begin(chapters: [String], isQuick: Bool) throws(WorkbenchRefusal) {
    let wanted = chapters.compactMap { Chapter(rawValue: $0) }
    guard wanted.count == chapters.count else {
      let names = Chapter.allCases.map(\.rawValue).joined(separator: ", ")
      throw .invalid(field: "chapter", "there is no such chapter; one of \(names)")
    }
    let cases = Suite.cases.filter { tested in
      (wanted.isEmpty || wanted.contains(tested.chapter)) && !(isQuick && tested.isLong)
    }
    try state.withLock { state throws(WorkbenchRefusal) in
      guard !state.isRunning else {
        throw .refused("a run goes on already; wait for its end, or stop it")
      }
      state = State(total: cases.count, isRunning: true)
    }
    do {
      _ = try BlockingThread(name: "conformance") { [self] in run(cases) }
    } catch {
      state.withLock { $0.isRunning = false }
      throw .refused("\(error)")
    }
  }

  func stop() { state.withLock { $0.isStopping = true } }

  var view: ConformanceView {
    let state = state.withLock { $0 }
    return ConformanceView(
      isRunning: state.isRunning, total: state.total, outcomes: state.outcomes,
      report: state.report)
  }

  func report(_ form: WorkbenchReport) throws(WorkbenchRefusal) -> [UInt8] {
    let state = state.withLock { $0 }
    guard let report = state.report else {
      throw state.isRunning
        ? .refused("the run has not ended") : .unknown("nothing was judged yet in this process")
    }
    do {
      return switch form {
      case .json: Array(try report.json().utf8)
      case .junit: Array(report.junit().utf8)
      }
    } catch {
      throw .refused("the report cannot be written: \(error)")
    }
  }

  private func run(_ cases: [ConformanceCase]) {
    // Behind everything else of this process, a press above all.
    BlockingThread.runLater()
    let outcomes = ConformanceRun(on: MemoryRig(), seed: Self.seed).run(
      cases, isStopped: { state.withLock { $0.isStopping } },
      { outcome in
        let done = state.withLock { state in
          state.outcomes.append(outcome)
          return state.outcomes.count
        }
        tell(Progress(done: done, total: cases.count, outcome: ConformanceView.Outcome(outcome)))
      })
    let report = RunReport(
      application: "fob \(Fob.configuration.version)", rig: ConformCommand.memory, actuator: "none",
      seed: Self.seed, outcomes: outcomes)
    state.withLock { ($0.report, $0.isRunning) = (report, false) }
    tell(Progress(report))
  }
}

extension ConformanceRuns {
  /// One outcome as it is known, or the end.
  struct Progress: Encodable, Sendable {
    var done: Int?
    var total: Int?
    var outcome: ConformanceView.Outcome?
    var ended: Bool?
    var summary: String?
    var isGood: Bool?

    init(done: Int, total: Int, outcome: ConformanceView.Outcome) {
      (self.done, self.total, self.outcome) = (done, total, outcome)
    }

    init(_ report: RunReport) {
      (ended, summary, isGood) = (true, report.summary, report.isGood)
    }
  }
}

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
