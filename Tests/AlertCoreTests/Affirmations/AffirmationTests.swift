import FobBase
import Testing
import WireProtocol

@testable import AlertCore

/// The owner's lines (R75) and the reminders of them (R76).
@Suite struct AffirmationTests {
  private static func bench() -> CoreBench {
    var bench = CoreBench()
    bench.hand(.zoneTable(.utc))
    return bench
  }

  private static func texts(_ bench: CoreBench) -> [String] {
    bench.core.affirmations.lines.map(\.text)
  }

  private static func reminders(_ bench: CoreBench) -> [Int64] {
    bench.auditEvents.filter { $0.name == .affirmationDue }.map(\.at.wall)
  }

  // MARK: Lines

  @Test func `an account begins with fifty lines, and none is stored before a change`() {
    var bench = Self.bench()
    let first = Self.texts(bench)
    #expect(Set(first).count == 50)
    #expect(first.allSatisfy { (try? Affirmation.checked($0)) == $0 })
    #expect(bench.store.affirmations == StoredAffirmations())
    #expect(bench.answer(to: .affirmation(.next))?.refusal == nil)
    #expect(bench.store.affirmations.lines.map(\.text) == first)
    #expect(bench.store.affirmations.settings?.current == 2)
  }

  @Test func `lines that are all deleted stay deleted after a restart`() {
    var bench = Self.bench()
    for line in bench.core.affirmations.lines {
      #expect(bench.answer(to: .affirmation(.remove(line.id)))?.refusal == nil)
    }
    #expect(bench.core.affirmations.current == nil)
    #expect(bench.answer(to: .affirmation(.next))?.refusal == .unknownAffirmation)
    bench.restart()
    #expect(Self.texts(bench).isEmpty)
    #expect(bench.answer(to: .affirmation(.add("Mine")))?.refusal == nil)
    bench.restart()
    #expect(Self.texts(bench) == ["Mine"])
    #expect(bench.core.affirmations.current?.id == 51, "an id is never used again")
  }

  @Test func `a new line becomes the current one, and next and previous wrap round`() {
    var bench = Self.bench()
    _ = bench.answer(to: .affirmation(.add("  Mine ")))
    #expect(bench.core.affirmations.current?.text == "Mine")
    _ = bench.answer(to: .affirmation(.next))
    #expect(bench.core.affirmations.current?.id == 1)
    _ = bench.answer(to: .affirmation(.previous))
    #expect(bench.core.affirmations.current?.text == "Mine")
    _ = bench.answer(to: .affirmation(.remove(51)))
    #expect(bench.core.affirmations.current?.id == 1, "the line after a deleted one is shown")
    #expect(bench.answer(to: .affirmation(.select(51)))?.refusal == .unknownAffirmation)
    #expect(bench.answer(to: .affirmation(.select(7)))?.refusal == nil)
    bench.restart()
    #expect(bench.core.affirmations.current?.id == 7)
  }

  @Test(arguments: [
    (String(repeating: "a", count: 160), true), (String(repeating: "a", count: 161), false),
    (String(repeating: "ж", count: 160), true), (String(repeating: "ж", count: 161), false),
    ("", false), (" ", false), ("two\nlines", false),
  ])
  func `a line has 1 to 160 characters`(text: String, fits: Bool) {
    var bench = Self.bench()
    #expect((bench.answer(to: .affirmation(.add(text)))?.refusal == nil) == fits)
    #expect(Self.texts(bench).count == (fits ? 51 : 50))
  }

  @Test func `there are 500 lines at most`() {
    var bench = Self.bench()
    let many = (1...500).map { "Line \($0)" }
    #expect(bench.answer(to: .affirmation(.replace(many)))?.refusal == nil)
    let refusal = UserCommand.Refusal.tooMany("affirmations", limit: 500)
    #expect(bench.answer(to: .affirmation(.add("One more")))?.refusal == refusal)
    #expect(bench.answer(to: .affirmation(.replace(many + ["One more"])))?.refusal == refusal)
    #expect(Self.texts(bench) == many)
  }

  @Test(arguments: [
    ("", "is empty"), (" a", "has white space at an end"), ("a\r", "has white space at an end"),
    ("a\tb", "has a control character"),
    ("a\u{202E}b", "has the character U+202E, which hides, breaks or reorders text"),
    ("\u{FEFF}a", "has the character U+FEFF, which hides, breaks or reorders text"),
  ])
  func `lines that replace all are taken whole or not at all`(line: String, reason: String) {
    var bench = Self.bench()
    let before = Self.texts(bench)
    let answer = bench.answer(to: .affirmation(.replace(["Good", line])))
    #expect(answer?.refusal == .invalid("line 2", reason))
    #expect(Self.texts(bench) == before)
    #expect(bench.answer(to: .affirmation(.replace(["Good", "Better"])))?.refusal == nil)
    #expect(bench.core.affirmations.current?.text == "Good")
    #expect(bench.core.affirmations.file == "Good\nBetter\n")
  }

  @Test func `while an alarm is open nothing changes`() {
    var bench = Self.bench()
    bench.press(.press(1))
    #expect(bench.answer(to: .affirmation(.add("Mine")))?.refusal == .locked)
    #expect(bench.answer(to: .affirmation(.next))?.refusal == .locked)
    #expect(bench.answer(to: .affirmation(.remind(.init(.never))))?.refusal == .locked)
    #expect(Self.texts(bench).count == 50)
  }

  @Test func `nobody who is logged out changes anything`() {
    var bench = Self.bench()
    bench.perform(.change(.logOut, isProven: true))
    #expect(bench.answer(to: .affirmation(.next))?.refusal == .notLoggedIn)
  }

  // MARK: Reminders

  /// The bench starts on Sunday, 2025-06-15, at 15:06:40 UTC.
  @Test(arguments: [
    (AffirmationSchedule(.hourly, minute: 30), 1_401, 3_600),
    (AffirmationSchedule(.daily, hour: 16, minute: 0), 3_201, 86_400),
    (AffirmationSchedule(.weekly, on: .monday, hour: 9, minute: 5), 64_701, 604_800),
  ])
  func `a reminder comes by the local clock, again and again`(
    schedule: AffirmationSchedule, first: Int64, every: Int64
  ) {
    var bench = Self.bench()
    let start = bench.now.wall
    #expect(bench.answer(to: .affirmation(.remind(schedule)))?.refusal == nil)
    bench.run(for: .seconds(first + every))
    let expected = [first - 1, first - 1 + every].map { start + $0 * 1_000_000 }
    #expect(Self.reminders(bench) == expected)
    #expect(bench.core.state == .noEmergency)
    #expect(bench.deliveries.isEmpty)
    #expect(bench.indication.map { $0.state == .idle } ?? true)
  }

  @Test func `without a schedule, without a line and while an alarm is open none comes`() {
    var bench = Self.bench()
    bench.run(for: .minutes(60 * 24))
    _ = bench.answer(to: .affirmation(.remind(AffirmationSchedule(.hourly, minute: 30))))
    bench.press(.press(1))
    bench.run(for: .minutes(60))
    bench.perform(.disarm)
    bench.perform(.resume)
    _ = bench.answer(to: .affirmation(.replace([])))
    bench.run(for: .minutes(120))
    _ = bench.answer(to: .affirmation(.remind(AffirmationSchedule(.never))))
    _ = bench.answer(to: .affirmation(.add("Mine")))
    bench.run(for: .minutes(120))
    #expect(Self.reminders(bench).isEmpty)
  }

  @Test func `the schedule outlives a restart, and what was missed is not told later`() {
    var bench = Self.bench()
    _ = bench.answer(to: .affirmation(.remind(AffirmationSchedule(.hourly, minute: 30))))
    bench.restart()
    bench.hand(.zoneTable(.utc))
    #expect(Self.reminders(bench).isEmpty)
    bench.run(for: .minutes(60))
    #expect(Self.reminders(bench).count == 1)
  }

  @Test func `a clock that is set back a little repeats no reminder`() throws {
    var affirmations = Affirmations()
    var output = CoreOutput()
    func at(_ wall: Int64) -> Timestamp {
      Timestamp(boot: 1, instant: Instant(microseconds: 0), wall: wall * 1_000_000)
    }
    func pass(_ wall: Int64) {
      affirmations.pass(in: .utc, mayTell: true, at: at(wall), &output)
    }
    try affirmations.perform(
      .remind(AffirmationSchedule(.hourly, minute: 0)), by: "console", at: at(7_000), &output)
    for wall: Int64 in [7_000, 7_199, 7_200, 7_190, 7_200, 7_260] { pass(wall) }
    func told() -> Int { output.changes.log.count { $0.name == .affirmationDue } }
    #expect(told() == 1)
    pass(3_600 * 100)
    #expect(told() == 2, "of several at once the owner is told once")
    pass(3_600)
    pass(7_200)
    #expect(told() == 3, "a clock that was far ahead silences none")
  }

  @Test(arguments: [
    (AffirmationSchedule(.weekly, hour: 9, minute: 0), "weekday"),
    (AffirmationSchedule(.daily, on: .monday, hour: 9, minute: 0), "weekday"),
    (AffirmationSchedule(.daily, minute: 0), "hour"),
    (AffirmationSchedule(.daily, hour: 24, minute: 0), "hour"),
    (AffirmationSchedule(.hourly, hour: 9, minute: 0), "hour"),
    (AffirmationSchedule(.hourly, minute: 60), "minute"),
    (AffirmationSchedule(.hourly), "minute"), (AffirmationSchedule(.never, minute: 0), "minute"),
  ])
  func `a schedule has what it needs and nothing else`(
    schedule: AffirmationSchedule, wrong: String
  ) {
    var bench = Self.bench()
    guard case .invalid(wrong, _)? = bench.answer(to: .affirmation(.remind(schedule)))?.refusal
    else {
      Issue.record("it was taken, or refused for something else")
      return
    }
    #expect(bench.core.affirmations.settings.schedule == AffirmationSchedule(.never))
  }
}
