import FobBase
import Testing
import WireProtocol

@testable import AlertCore

@Suite struct ReviewTests {
  private static let secret = "The stairs were dark"

  /// An alarm that was pressed, told, ended by PIN and resumed from.
  private static func afterAlarm() -> (bench: CoreBench, incident: Incident) {
    var bench = CoreBench()
    bench.press(.press(1))
    bench.run(for: .seconds(10))
    _ = bench.answer(to: .disarm)
    let incident = bench.core.engine.history.lastEnded!
    _ = bench.answer(to: .resume)
    return (bench, incident)
  }

  private static func refusal(
    _ command: ReviewCommand, isProven: Bool = true, _ bench: inout CoreBench
  ) -> UserCommand.Refusal? {
    bench.answer(to: .review(command, isProven: isProven))?.refusal
  }

  private static func begin(_ incident: IncidentID? = nil, _ bench: inout CoreBench) -> Int? {
    bench.answer(to: .review(.begin(incident), isProven: true))?.made
  }

  private static func save(
    _ text: String, _ step: Int = 1, version: Int = 0, in bench: inout CoreBench
  ) -> UserCommand.Refusal? {
    refusal(.save(1, step: step, text: text, version: version), &bench)
  }

  // MARK: Steps

  @Test func `R80: four steps are answered in any order, and the review is completed`() {
    var bench = CoreBench()
    #expect(Self.begin(nil, &bench) == 1)
    #expect(
      bench.core.reviews.reviews[1]?.steps.map(\.label) == ["Wonder", "Explore", "Learn", "Loop"])
    for step in [3, 1, 4] { #expect(Self.save("Answer \(step)", step, in: &bench) == nil) }
    #expect(Self.refusal(.complete(1), &bench) == .unanswered([2]))
    #expect(Self.save(" \n", 2, in: &bench) == nil)
    #expect(Self.refusal(.complete(1), &bench) == .unanswered([2]))
    #expect(Self.save("Answer 2", 2, version: 1, in: &bench) == nil)
    #expect(Self.refusal(.complete(1), &bench) == nil)
    #expect(bench.core.reviews.reviews[1]?.state == .completed)
    #expect(bench.happened(.reviewCompleted).count == 1)
  }

  @Test func `R80: a review keeps the steps that it was begun with`() {
    var bench = CoreBench()
    _ = Self.begin(nil, &bench)
    let other = (1...4).map { ReviewStep(key: "s\($0)", label: "Step \($0)", question: "What?") }
    #expect(Self.refusal(.template(other), &bench) == nil)
    #expect(Self.begin(nil, &bench) == 2)
    #expect(bench.core.reviews.reviews[1]?.steps == ReviewStep.standard)
    #expect(bench.core.reviews.reviews[2]?.steps == other)
    bench.restart()
    #expect(bench.core.reviews.template == other)
  }

  @Test(arguments: [
    Array(ReviewStep.standard.prefix(3)), [ReviewStep](repeating: ReviewStep.standard[0], count: 4),
    ReviewStep.standard.prefix(3) + [ReviewStep(key: "", label: "a", question: "b")],
    ReviewStep.standard.prefix(3) + [ReviewStep(key: "x", label: "", question: "b")],
  ])
  func `R80: steps that are not four with key, label and question are refused`(
    steps: [ReviewStep]
  ) {
    var bench = CoreBench()
    guard case .invalid? = Self.refusal(.template(steps), &bench) else {
      Issue.record("they were taken")
      return
    }
  }

  @Test func `R81: an answer is 4,000 characters long at most`() {
    var bench = CoreBench()
    _ = Self.begin(nil, &bench)
    #expect(Self.save(String(repeating: "ж", count: 4_000), in: &bench) == nil)
    #expect(
      Self.save(String(repeating: "a", count: 4_001), version: 1, in: &bench)
        == .invalid("text", "is not 0 to 4000 characters long"))
  }

  @Test func `R82: each save is there after a restart, with its versions`() {
    var bench = CoreBench()
    _ = Self.begin(nil, &bench)
    for version in 0..<3 {
      #expect(Self.save("Draft \(version)", version: version, in: &bench) == nil)
      bench.restart()
    }
    let review = bench.core.reviews.reviews[1]
    #expect(review?.answers[0] == ReviewAnswer(text: "Draft 2", version: 3))
    #expect(review?.versions.map(\.text) == ["Draft 0", "Draft 1", "Draft 2"])
  }

  @Test func `R82: a review has its last 50 versions`() {
    var bench = CoreBench()
    _ = Self.begin(nil, &bench)
    for version in 0..<52 { _ = Self.save("Draft \(version)", version: version, in: &bench) }
    #expect(bench.core.reviews.reviews[1]?.versions.count == 50)
    #expect(bench.core.reviews.reviews[1]?.versions.first?.text == "Draft 2")
  }

  /// They stay in memory, which the accounts of a process share.
  @Test func `all reviews of an account have room for 16 MiB of words, after a restart too`() throws
  {
    var (reviews, output) = (Reviews(), CoreOutput())
    let now = CoreBench().now
    let long = String(repeating: "𝄞", count: 3_999)
    var refusal: UserCommand.Refusal?
    var id = 0
    while refusal == nil {
      id = try reviews.begin(nil, by: "owner", at: now, &output)
      for version in 0..<Review.versions where refusal == nil {
        refusal = reviews.save(
          "\(version % 10)\(long)", of: 1, version: version, in: id, by: "owner", at: now, &output)
      }
    }
    #expect(refusal == .tooMany("bytes of reviews", limit: 16 << 20))
    let words = reviews.reviews.values.map(\.size).reduce(0, +)
    #expect((words...words + 2 * 4 * Review.length).contains(16 << 20))
    var stored = StoredReviews()
    stored.reviews = Array(reviews.reviews.values)
    reviews = Reviews()
    reviews.recover(stored)
    func again() -> UserCommand.Refusal? {
      let version = reviews.reviews[id]!.answers[0].version
      return reviews.save(
        "a\(long)", of: 1, version: version, in: id, by: "owner", at: now, &output)
    }
    #expect(again() == refusal)
    #expect(reviews.delete(1, by: "owner", at: now, &output) == nil)
    #expect(again() == nil)
  }

  @Test func `R82: of two windows the later one is told, and the same save again is none`() {
    var bench = CoreBench()
    _ = Self.begin(nil, &bench)
    #expect(Self.save("First window", in: &bench) == nil)
    #expect(Self.save("Second window", in: &bench) == .changed)
    #expect(Self.save("First window", in: &bench) == nil)
    #expect(bench.core.reviews.reviews[1]?.answers[0].version == 1)
    #expect(bench.happened(.reviewSaved).count == 1)
  }

  @Test func `R84: a save takes a completed review back into progress`() {
    var bench = CoreBench()
    _ = Self.begin(nil, &bench)
    for step in 1...4 { _ = Self.save("Answer", step, in: &bench) }
    _ = Self.refusal(.complete(1), &bench)
    #expect(Self.save("Another answer", version: 1, in: &bench) == nil)
    #expect(bench.core.reviews.reviews[1]?.state == .inProgress)
    #expect(bench.core.reviews.reviews[1]?.completedAt == nil)
    #expect(Self.refusal(.complete(1), &bench) == nil)
  }

  // MARK: Of an alarm

  @Test func `R80: an alarm that was resumed from is offered once, and has one review`() {
    var (bench, incident) = Self.afterAlarm()
    #expect(bench.core.reviews.offer?.incident == incident.id)
    bench.restart()
    #expect(bench.core.reviews.offer?.incident == incident.id)
    #expect(Self.begin(incident.id, &bench) == 1)
    #expect(bench.core.reviews.offer == nil)
    #expect(Self.refusal(.begin(incident.id), &bench) == .reviewExists)
    #expect(bench.happened(.reviewStarted).map(\.incident) == [incident.id])
  }

  @Test func `R80: a declined offer stays away, and its review can be begun later`() {
    var (bench, incident) = Self.afterAlarm()
    #expect(Self.refusal(.decline, isProven: false, &bench) == nil)
    bench.restart()
    #expect(bench.core.reviews.offer == nil)
    #expect(bench.happened(.reviewDeclined).count == 1)
    #expect(Self.begin(incident.id, &bench) == 1)
  }

  @Test func `nothing changes while an alarm is open`() {
    var (bench, incident) = Self.afterAlarm()
    _ = Self.begin(incident.id, &bench)
    bench.press(.press(2))
    bench.run(for: .seconds(1))
    let commands: [ReviewCommand] = [
      .begin(nil), .save(1, step: 1, text: "a", version: 0), .complete(1), .delete(1), .decline,
      .template(ReviewStep.standard), .outcome(incident, Survey(outcome: .test)),
    ]
    for command in commands { #expect(Self.refusal(command, &bench) == .locked) }
    #expect(bench.core.reviews.reviews[1]?.answers[0].text == "")
  }

  @Test func `the PIN stands before all but a declined offer`() {
    var (bench, incident) = Self.afterAlarm()
    let commands: [ReviewCommand] = [
      .begin(nil), .save(1, step: 1, text: "a", version: 0), .complete(1), .delete(1),
      .template(ReviewStep.standard), .outcome(incident, Survey(outcome: .test)),
    ]
    for command in commands {
      #expect(Self.refusal(command, isProven: false, &bench) == .pinNeeded)
    }
  }

  @Test func `R61: what an alarm was is changed for ever, and each change is logged`() {
    var (bench, incident) = Self.afterAlarm()
    bench.restart()
    for outcome in [Survey.Outcome.real, .falseAlarm, .test] {
      #expect(Self.refusal(.outcome(incident, Survey(outcome: outcome)), &bench) == nil)
    }
    let fell = Survey(fell: true, outcome: .test)
    #expect(Self.refusal(.outcome(incident, fell), &bench) == nil)
    #expect(Self.refusal(.outcome(incident, fell), &bench) == nil)
    #expect(bench.happened(.outcomeChanged).count == 4)
    #expect(bench.store.incidents[incident.id]?.survey == fell)
  }

  // MARK: Limits

  @Test func `of 2,000 reviews the oldest completed one without an alarm makes room`() {
    var output = CoreOutput()
    let now = CoreBench().now
    var reviews = Reviews()
    let incident = IncidentID(EventRecord.press(1).identity)
    func begin(_ incident: IncidentID? = nil) throws(UserCommand.Refusal) -> Int {
      try reviews.begin(incident, by: "console", at: now, &output)
    }
    func finish(_ id: Int) {
      for step in 1...4 {
        _ = reviews.save("a", of: step, version: 0, in: id, by: "", at: now, &output)
      }
      _ = reviews.complete(id, by: "", at: now, &output)
    }
    #expect((try? begin(incident)) == 1)
    finish(1)
    for _ in 2...2_000 { _ = try? begin() }
    #expect(throws: UserCommand.Refusal.tooMany("reviews", limit: 2_000)) { try begin() }
    finish(3)
    finish(2)
    #expect((try? begin()) == 2_001)
    #expect(reviews.reviews[2] == nil)
    #expect(reviews.reviews.count == 2_000)
  }

  // MARK: Whose words they are

  @Test func `no word of an answer is in the log or in a message`() throws {
    var (bench, incident) = Self.afterAlarm()
    _ = Self.begin(incident.id, &bench)
    for step in 1...4 { _ = Self.save("\(Self.secret) \(step)", step, in: &bench) }
    _ = Self.refusal(.complete(1), &bench)
    _ = Self.refusal(.delete(1), &bench)
    bench.run(for: .minutes(1))
    let said =
      bench.auditEvents.map { "\($0) \($0.detail ?? "")" } + bench.deliveries.map { "\($0)" }
    #expect(said.allSatisfy { !$0.contains(Self.secret) })
    #expect(
      bench.happened(.reviewSaved).map(\.detail)
        == (1...4).map { "review 1, step \($0)" })
  }
}
