import AlertCore
import FobBase
import Foundation
import SerialIO

/// Plays a scenario step by step and judges it: every step comes true in its time, and at the end
/// each press that the firmware committed is exactly one entry of the core.
final class ScenarioPlayer {
  private let scenario: Scenario
  private let bench: ScenarioBench
  private let report: ScenarioReport
  private var pressed: [String] = []
  /// What the journal had when the last request was made.
  private var mark = 0

  init(_ scenario: Scenario, on bench: ScenarioBench, report: ScenarioReport) {
    self.scenario = scenario
    self.bench = bench
    self.report = report
  }

  func play(until termination: borrowing Termination) throws {
    if scenario.movesClock { try bench.beginMinute() }
    try bench.awaitOwner(until: termination)
    for step in scenario.steps {
      let began = BootClock.now()
      let complaint = try perform(step.action, termination)
      report.step(step, took: BootClock.now() - began, complaint: complaint)
      if let complaint {
        report.judged(isKept: false, presses: pressed.count)
        throw Failure(.expectationMissed, "line \(step.line), \(step.text): \(complaint)")
      }
    }
    let complaint = try judge(termination)
    report.judged(isKept: complaint == nil, presses: pressed.count)
    if let complaint { throw Failure(.expectationMissed, complaint) }
  }

  // MARK: Steps

  /// - Returns: what did not come true, nil if all did.
  private func perform(
    _ action: ScenarioStep.Action, _ stop: borrowing Termination
  ) throws -> String? {
    if let obstacle = action.account.flatMap(bench.obstacle) { return obstacle }
    switch action {
    case .ask(let question, let isRefused): return try ask(question, isRefused: isRefused)
    case .wait(let pattern, let times, let within):
      let found = try comesTrue(within: within, stop) { seen(pattern) >= times }
      return found ? nil : "seen \(seen(pattern)) of \(times) in time; \(lastEvents)"
    case .never(let pattern, let during):
      return try comesTrue(within: during, stop) { seen(pattern) > 0 } ? "it happened" : nil
    case .expect(let expectations, let account, let within):
      return try expect(expectations, of: account, within, stop)
    case .pause(let interval):
      _ = try comesTrue(within: interval, stop) { false }
      return nil
    case .series(let series, let isRefused):
      mark = bench.journal.count
      let refusal = try bench.add(series)
      guard isRefused else { return refusal }
      return refusal == nil ? "it was not refused" : nil
    case .advance(let interval):
      mark = bench.journal.count
      try bench.advance(by: interval)
      return nil
    }
  }

  private func ask(_ question: ControlQuestion, isRefused: Bool) throws -> String? {
    mark = bench.journal.count
    let answer = try bench.ask(question)
    if let event = answer.event, answer.isOK { pressed.append(event) }
    if isRefused { return answer.isOK ? "it was not refused" : nil }
    return answer.isOK ? nil : answer.error
  }

  private func seen(_ pattern: EventPattern) -> Int {
    bench.journal.events(from: mark).count { pattern.matches($0, last: pressed.last) }
  }

  private func expect(
    _ expectations: [ScenarioExpectation], of account: AccountNumber?, _ within: Interval,
    _ stop: borrowing Termination
  ) throws -> String? {
    var complaints: [String] = []
    let isMet = try comesTrue(within: within, stop) {
      complaints = try expectations.compactMap { expectation in
        let actual =
          try latency(expectation.reading) ?? bench.reading(expectation.reading, of: account)
        guard !(actual.map(expectation.isMet) ?? false) else { return nil }
        return actual.map { "\(expectation.reading) is \($0)" }
          ?? "there is no \(expectation.reading) now: a field of the keychain's state or one of "
          + (ScenarioBench.readings + Self.stages.keys.sorted()).joined(separator: ", ")
      }
      return complaints.isEmpty
    }
    return isMet ? nil : complaints.joined(separator: "; ")
  }

  /// Milliseconds from the first edge of the last press, by the stamp that ends them.
  private static let stages = [
    "decided_ms": "decided", "durable_ms": "durable", "acked_ms": "acked", "light_ms": "lit",
  ]

  /// - Returns: nil for what is no latency, or is not measured yet.
  private func latency(_ reading: String) -> String? {
    guard let end = Self.stages[reading], let press = pressed.last else { return nil }
    let stages = bench.journal.events(from: 0).last { event in
      event["type"] == "stages" && event["event"] == press && event[end] != nil
    }
    guard let edge = stages?["edge"].flatMap(Int64.init), let at = stages?[end].flatMap(Int64.init)
    else { return nil }
    return "\(Double(at - edge) / 1_000)"
  }

  // MARK: The end

  private func judge(_ stop: borrowing Termination) throws -> String? {
    var complaints: [String] = []
    _ = try comesTrue(within: Scenario.patience, stop) {
      let entries = try bench.entries()
      complaints = pressed.compactMap { event in
        switch entries.count(where: { $0 == event }) {
        case 0: "press \(event) is lost: the core has no entry of it"
        case 1: nil
        case let count: "press \(event) is doubled: the core has \(count) entries of it"
        }
      }
      return complaints.isEmpty
    }
    return complaints.isEmpty ? nil : complaints.joined(separator: "; ")
  }

  /// Looks again at each event, and twenty times a second at what makes none.
  private func comesTrue(
    within patience: Interval, _ stop: borrowing Termination, _ isTrue: () throws -> Bool
  ) throws -> Bool {
    let deadline = BootClock.now() + patience
    while true {
      bench.journal.signal.clear()
      if try isTrue() { return true }
      let now = BootClock.now()
      if now >= deadline { return false }
      if stop.wait(until: now) {
        throw Failure(.expectationMissed, "interrupted: \(scenario.name) is not judged")
      }
      try Syscall.awaitEither(
        bench.journal.signal.descriptor, stop.descriptor,
        until: min(deadline, now + .milliseconds(50)))
    }
  }

  private var lastEvents: String {
    let names = bench.journal.events(from: mark).suffix(8).map { event in
      event["light"].map { "light \($0)" } ?? event["happening"] ?? event["keychain"]
        ?? event["type"] ?? "other"
    }
    return "since the last request: " + (names.isEmpty ? "nothing" : names.joined(separator: ", "))
  }
}
