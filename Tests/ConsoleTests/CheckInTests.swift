import Foundation
import Testing

@testable import AlertCore
@testable import Console

/// The check-ins by the API: what goes in is what the core is asked for, and what comes out is what
/// it has (R90 to R112).
struct CheckInTests {
  private static let daily = """
    {"description":"Are you well?","rule":{"kind":"days","every":1,"times":3,"hoursApart":4},\
    "time":"09:00","start":"2026-11-25"
    """
  private static let key = OccurrenceKey(text: "20261125T0900")!

  private static func core(
    _ edit: @Sendable (inout sending BenchCore.State) -> Void = { _ in }
  ) -> BenchCore {
    let core = BenchCore()
    core.set { state in
      for id in 1...3 {
        state.checkIns.series[id] = CheckInSeries.sample(id)
      }
      state.series = 3
      edit(&state)
    }
    return core
  }

  private static func command(_ core: BenchCore) -> CheckInCommand? {
    guard case .checkIn(let command, _)? = core.asked.last?.userCommand else { return nil }
    return command
  }

  @Test func `a series is added as it was written, and answered as it is`() async throws {
    try await Rig.run(core: Self.core()) { rig in
      let answer = try await rig.ask(
        "POST", "/v1/check-ins/series",
        json: Self.daily + #","lead":15,"limit":20,"escalates":true,"pin":"2468"}"#)
      #expect(answer.status == 201)
      let series: JSONValue = try answer.json()
      #expect(series["id"] == .integer(3))
      #expect(series["time"] == "09:00")
      #expect(series["rule"]?["kind"] == "days")
      var draft = CheckInDraft()
      draft.description = "Are you well?"
      draft.rule = .days(every: 1, times: 3, hoursApart: 4)
      draft.minute = 540
      draft.start = CivilDate(year: 2026, month: 11, day: 25)
      draft.lead = 15
      draft.limit = 20
      draft.escalates = true
      #expect(rig.core.asked.last?.userCommand == .checkIn(.add(draft), isProven: true))
    }
  }

  @Test func `null takes the end and the keychain away, and what is not said stays`() async throws {
    try await Rig.run(core: Self.core()) { rig in
      let answer = try await rig.ask(
        "PATCH", "/v1/check-ins/series/2", json: #"{"end":null,"device":null}"#)
      #expect(answer.status == 200)
      var draft = CheckInDraft()
      draft.end = .some(nil)
      draft.device = .some(nil)
      #expect(Self.command(rig.core) == .edit(series: 2, draft))
    }
  }

  @Test func `a wrong PIN changes no series`() async throws {
    try await Rig.run(core: Self.core()) { rig in
      let answer = try await rig.ask(
        "DELETE", "/v1/check-ins/series/2", json: #"{"pin":"1111"}"#)
      let problem: ProblemBody = try answer.json()
      #expect(answer.status == 403)
      #expect(problem.code == "wrongPIN")
      #expect(rig.core.asked.isEmpty)
    }
  }

  @Test(arguments: [
    (#"{"kind":"once"}"#, Recurrence.Rule.once),
    (#"{"kind":"days","every":2}"#, .days(every: 2)),
    (
      #"{"kind":"weeks","every":1,"weekdays":["sunday","monday"]}"#,
      .weeks(every: 1, [.monday, .sunday])
    ),
    (#"{"kind":"months","every":1,"day":13}"#, .months(every: 1, .day(13))),
    (
      #"{"kind":"months","every":1,"ordinal":"second","weekday":"friday"}"#,
      .months(every: 1, .ordinal(.second, .friday))
    ),
    (
      #"{"kind":"years","every":1,"months":[8,2],"ordinal":"last","weekday":"weekend"}"#,
      .years(every: 1, months: [2, 8], .ordinal(.last, .weekend))
    ),
  ])
  func `each kind of rule is read, and written in the shape that is documented`(
    json: String, rule: Recurrence.Rule
  ) throws {
    try Components.schema("CheckInRule").check(try JSONValue(Data(json.utf8)))
    let draft = try JSONDecoder().decode(
      CheckInDraft.self, from: Data(#"{"rule":\#(json)}"#.utf8))
    #expect(draft.rule == rule)
    let written = try JSONValue(Data(Reply.bytes(of: rule)))
    try Components.schema("CheckInRule").check(written)
  }

  @Test(arguments: [
    (#"{"kind":"hours","every":1}"#, "rule.kind"),
    (#"{"kind":"once","every":1}"#, "rule.every"),
    (#"{"kind":"days","every":1000}"#, "rule.every"),
    (#"{"kind":"weeks","every":1,"weekdays":["weekend"]}"#, "rule.weekdays[0]"),
    (#"{"kind":"months","every":1}"#, "rule.day"),
    (#"{"kind":"months","every":1,"day":3,"ordinal":"last","weekday":"day"}"#, "rule.day"),
    (#"{"kind":"years","every":1,"months":[13],"day":3}"#, "rule.months[0]"),
  ])
  func `a rule that cannot be is refused by the name of its member`(
    rule: String, field: String
  ) async throws {
    try await Rig.run(core: Self.core()) { rig in
      let answer = try await rig.ask(
        "POST", "/v1/check-ins/preview", json: #"{"rule":\#(rule)}"#)
      let problem: ProblemBody = try answer.json()
      #expect(answer.status == 422)
      #expect(problem.field == field)
    }
  }

  @Test(arguments: [
    ("start", #""2026-02-30""#), ("time", #""24:00""#), ("limit", "4"), ("lead", "40321"),
    ("device", #""1""#), ("colour", #""red""#),
    ("description", "\"\(String(repeating: "a", count: 161))\""),
  ])
  func `a field out of its range is refused by name`(field: String, value: String) async throws {
    try await Rig.run(core: Self.core()) { rig in
      let answer = try await rig.ask(
        "PATCH", "/v1/check-ins/series/1", json: #"{"\#(field)":\#(value)}"#)
      let problem: ProblemBody = try answer.json()
      #expect(answer.status == 422)
      #expect(problem.field == field)
      #expect(rig.core.asked.isEmpty)
    }
  }

  @Test(arguments: [
    (UserCommand.Refusal.startPast, 422), (.endPast, 422), (.movedPast, 422),
    (.noDescription, 422), (.unknownSeries, 404), (.unknownCheckIn, 404), (.tooEarly, 409),
    (.checkInClosed, 409), (.seriesRuns, 409), (.incomplete, 409), (.locked, 423),
    (.unknownReview, 404), (.reviewExists, 409), (.changed, 409), (.unanswered([1]), 409),
    (.exerciseRuns, 409), (.noExercise, 409), (.checkInOverdue, 409),
    (.unknownAffirmation, 404), (.pinNeeded, 403),
  ])
  func `each refusal of the core has its status and its code`(
    refusal: UserCommand.Refusal, status: Int
  ) async throws {
    try await Rig.run(core: Self.core { $0.refusal = refusal }) { rig in
      let answer = try await rig.ask(
        "POST", "/v1/check-ins/1/20261125T0900/complete", as: .operate, json: "{}")
      let problem: ProblemBody = try answer.json()
      #expect(answer.status == status)
      #expect(problem.code == refusal.code)
    }
  }

  @Test(arguments: [
    (
      "POST", "/complete", #"{"comment":"Fine"}"#, CheckInCommand.complete(.sample, comment: "Fine")
    ),
    ("POST", "/complete", "{}", .complete(.sample, comment: "")),
    ("POST", "/restore", "{}", .restore(.sample)),
    ("PATCH", "/comment", #"{"comment":""}"#, .comment(.sample, "")),
    ("DELETE", "", "{}", .drop(.sample)),
    (
      "PATCH", "", #"{"date":"2026-11-26","time":"10:30","lead":5}"#,
      .change(.sample, due: 1_795_689_000_000_000, description: nil, lead: 5)
    ),
    (
      "PATCH", "", #"{"due":1795689000000000}"#,
      .change(.sample, due: 1_795_689_000_000_000, description: nil, lead: nil)
    ),
  ])
  func `a single one is answered, asked again, changed, taken out and commented on`(
    method: String, path: String, json: String, command: CheckInCommand
  ) async throws {
    try await Rig.run(core: Self.core()) { rig in
      let answer = try await rig.ask(method, "/v1/check-ins/1/20261125T0900" + path, json: json)
      #expect(answer.status == 200)
      #expect(rig.core.asked.last?.userCommand == .checkIn(command, isProven: false))
    }
  }

  @Test(arguments: [#"{"date":"2026-11-26"}"#, #"{"due":1,"date":"2026-11-26","time":"10:30"}"#])
  func `a new moment is said in one way`(json: String) async throws {
    try await Rig.run(core: Self.core()) { rig in
      let answer = try await rig.ask("PATCH", "/v1/check-ins/1/20261125T0900", json: json)
      let problem: ProblemBody = try answer.json()
      #expect(answer.status == 422)
      #expect(problem.field == "due")
    }
  }

  @Test(arguments: ["20261125T0900-0", "20261325T0900", "20261125T2500", "20261125"])
  func `a key that names no check-in leads nowhere`(key: String) async throws {
    try await Rig.run(core: Self.core()) { rig in
      let answer = try await rig.ask("POST", "/v1/check-ins/1/\(key)/complete", json: "{}")
      #expect(answer.status == 404)
      #expect(rig.core.asked.isEmpty)
    }
  }

  @Test func `the series are read in pages, by id`() async throws {
    try await Rig.run(core: Self.core()) { rig in
      let first: JSONValue = try await rig.ask(
        "GET", "/v1/check-ins/series?limit=2", as: .observe
      ).json()
      #expect(first["total"] == .integer(3))
      #expect(first["series"]?.elements.compactMap { $0["id"]?.whole } == [1, 2])
      #expect(first["next"] == .integer(2))
      let second: JSONValue = try await rig.ask("GET", "/v1/check-ins/series?after=2").json()
      #expect(second["series"]?.elements.compactMap { $0["id"]?.whole } == [3])
      #expect(second["next"] == nil)
    }
  }

  @Test func `the history is read backwards in pages, and rows that come meanwhile move none`()
    async throws
  {
    let core = Self.core { state in
      state.checkIns.closed = (1...5).map { CheckIn.sample(1, closedAt: Int64($0)) }
    }
    try await Rig.run(core: core) { rig in
      let first: JSONValue = try await rig.ask("GET", "/v1/check-ins/history?limit=2").json()
      #expect(first["total"] == .integer(5))
      #expect(first["entries"]?.elements.compactMap { $0["closedAt"]?.whole } == [5, 4])
      let next = try #require(first["next"]?.text)
      core.set { $0.checkIns.closed.append(CheckIn.sample(1, closedAt: 6)) }
      let second: JSONValue = try await rig.ask(
        "GET", "/v1/check-ins/history?limit=9&before=\(next)"
      ).json()
      #expect(second["entries"]?.elements.compactMap { $0["closedAt"]?.whole } == [3, 2, 1])
      #expect(second["next"] == nil)
      #expect(second["entries"]?.elements.first?["by"]?["kind"] == "click")
    }
  }

  @Test func `the settings are replaced as a whole`() async throws {
    try await Rig.run(core: Self.core()) { rig in
      let text = """
        {"nagEvery":10,"shown":7,"history":500,"logShown":100,"clock":"12","dateOrder":"mdy",\
        "mails":true}
        """
      let answer = try await rig.ask("PUT", "/v1/check-ins/settings", json: text)
      #expect(answer.status == 200)
      var settings = CheckInSettings()
      settings.nagEvery = 10
      settings.shown = 7
      settings.history = 500
      settings.logShown = 100
      settings.clock = .hours12
      settings.dateOrder = .monthDayYear
      settings.mails = true
      #expect(Self.command(rig.core) == .settings(settings))
      let part = try await rig.ask("PUT", "/v1/check-ins/settings", json: #"{"shown":7}"#)
      #expect(part.status == 422)
    }
  }

  @Test func `the statistics say what runs, what it uses and what became of check-ins`()
    async throws
  {
    let core = Self.core { $0.checkIns.counts.asked = 7 }
    try await Rig.run(core: core) { rig in
      let answer = try await rig.ask("GET", "/v1/statistics", as: .observe)
      let statistics: JSONValue = try answer.json()
      let schema = try #require(
        OperationTable.standard.operations.first { $0.name == "GET /v1/statistics" })
      guard case .json(let shape)? = schema.success.first?.content else { return }
      try shape.check(statistics)
      #expect(statistics["version"] == "0.1.0")
      #expect(statistics["checkIns"]?["asked"] == .integer(7))
      #expect(statistics["checkIns"]?["series"] == .integer(3))
      let battery = statistics["batteries"]?.elements.first
      #expect(battery?["percent"] == .integer(87) && battery?["hasNoBattery"] == .boolean(false))
      #expect(statistics["database"] == .integer(4_096))
      #expect((statistics["memory"]?.whole ?? 0) > 1_000_000)
      #expect(try await rig.ask("DELETE", "/v1/statistics").status == 200)
      #expect(Self.command(rig.core) == .resetCounts)
    }
  }

  @Test func `the statistics say of a keychain without a battery that it has none`() async throws {
    try await Rig.run(core: Self.core { $0.hasBattery = false }) { rig in
      let statistics: JSONValue = try await rig.ask("GET", "/v1/statistics", as: .observe).json()
      let battery = statistics["batteries"]?.elements.first
      #expect(battery?["hasNoBattery"] == .boolean(true) && battery?["percent"] == nil)
    }
  }

  @Test func `the gauges count check-ins and name nobody`() async throws {
    try await Rig.run(core: Self.core()) { rig in
      let page = try await rig.ask("GET", "/metrics")
      let text = String(decoding: page.body, as: UTF8.self)
      #expect(text.contains("fob_check_in_series 0\n"))
      #expect(text.contains("fob_check_ins_overdue 0\n"))
      #expect(!text.contains("Are you well?"))
    }
  }
}

extension CheckIn.ID {
  fileprivate static let sample = CheckIn.ID(series: 1, key: OccurrenceKey(text: "20261125T0900")!)
}

extension CheckInSeries {
  fileprivate static func sample(_ id: Int) -> CheckInSeries {
    CheckInSeries(
      id: id, description: "Are you well?",
      recurrence: Recurrence(
        .days(every: 1), at: 540, from: CivilDate(year: 2026, month: 11, day: 25)!),
      lead: 0, escalates: true, limit: 20, device: nil, createdAt: 1, changedAt: 1, askedUntil: 0)
  }
}

extension CheckIn {
  fileprivate static func sample(_ series: Int, closedAt: Int64) -> CheckIn {
    var past = CheckIn(
      series: series, key: OccurrenceKey(CivilDate(day: Int32(20_000 + closedAt)), minute: 540),
      description: "Are you well?", due: closedAt, answerableFrom: 0, escalates: true, runsOut: 9,
      limit: 20, lead: 0,
      device: nil)
    past.state = .completed
    past.by = .click(device: "0000000000000007", event: "1.2")
    past.closedAt = closedAt
    return past
  }
}
