import AlertCore
import Bridge
import FobBase
import Foundation
import SerialIO
import Storage
import TestSupport
import Testing

@testable import Console

/// Check-ins by the API on a real bridge and a real store, whose time is moved (R90 to R112, G17).
@Suite final class LiveCheckInTests {
  private let folder: ScratchDirectory
  private let store: AlertStore
  private let bridge: AlertBridge

  init() throws {
    folder = try ScratchDirectory()
    store = try AlertStore(directory: folder.path("state"))
    var account = BenchCore.owner
    account.pinHash = nil
    bridge = try AlertBridge(account: account, store: store, sinks: []) { _ in }
    try bridge.start([])
    // At 12:00 no test passes midnight.
    let day: Int64 = 86_400_000_000
    try bridge.advance(by: .microseconds(day + day / 2 - bridge.wall % day))
  }

  deinit { bridge.stop() }

  private func run(_ body: (Rig) async throws -> Void) async throws {
    let rig = try await Rig(on: LiveCore(bridge: bridge, store: store))
    do {
      _ = try await rig.ask("PUT", "/v1/protection", json: "{}")
      try await body(rig)
    } catch {
      await rig.server.stop()
      throw error
    }
    await rig.server.stop()
  }

  private var today: String {
    Date(timeIntervalSince1970: Double(bridge.wall) / 1e6)
      .formatted(.iso8601.year().month().day())
  }

  /// Asked today at `time`.
  private func form(_ description: String, _ time: String, _ more: String = "") -> String {
    """
    {"description":"\(description)","rule":{"kind":"days","every":1},"time":"\(time)",\
    "start":"\(today)"\(more)}
    """
  }

  private func add(_ rig: Rig, _ form: String) async throws -> Int64 {
    let answer = try await rig.ask("POST", "/v1/check-ins/series", json: form)
    #expect(answer.status == 201, "\(answer.text)")
    return try #require(try answer.json(JSONValue.self)["id"]?.whole)
  }

  private func code(_ answer: RawClient.Response) throws -> String {
    try answer.json(ProblemBody.self).code
  }

  @Test func `a check-in is asked, answered once, commented on and asked anew`() async throws {
    try await run { rig in
      let id = try await add(rig, form("Are you well?", "12:30"))
      let early: JSONValue = try await rig.ask("GET", "/v1/check-ins?view=overview").json()
      let row = try #require(early["checkIns"]?.elements.first)
      let path = "/v1/check-ins/\(id)/\(try #require(row["key"]?.text))"
      #expect(row["phase"] == "scheduled" && early["overdue"] == .integer(0))
      #expect(try code(await rig.ask("POST", path + "/complete", json: "{}")) == "tooEarly")
      try bridge.advance(by: .minutes(31))
      let late: JSONValue = try await rig.ask("GET", "/v1/check-ins?state=overdue").json()
      #expect(late["checkIns"]?.elements.count == 1 && late["overdue"] == .integer(1))
      #expect(
        try await rig.ask("POST", path + "/complete", json: #"{"comment":"Fine"}"#).status == 200)
      #expect(try code(await rig.ask("POST", path + "/complete", json: "{}")) == "checkInClosed")
      #expect(
        try await rig.ask("PATCH", path + "/comment", json: #"{"comment":"Very fine"}"#).status
          == 200)
      let history: JSONValue = try await rig.ask("GET", "/v1/check-ins/history").json()
      let entry = try #require(history["entries"]?.elements.first)
      #expect(entry["state"] == "completed" && entry["comment"] == "Very fine")
      #expect(entry["by"]?["name"] == "administer")
      #expect(try await rig.ask("POST", path + "/restore", json: "{}").status == 200)
      let status: JSONValue = try await rig.ask("GET", "/v1/status").json()
      #expect(status["checkIns"]?["overdue"] == .integer(1))
      #expect(status["concerns"]?.elements.contains("checkIn") == true)
    }
  }

  @Test func `silence raises the alarm, and all is locked until it is ended`() async throws {
    try await run { rig in
      let id = try await add(rig, form("Are you well?", "12:30", #","limit":5"#))
      try bridge.advance(by: .minutes(31))
      try bridge.advance(by: .minutes(5))
      let status: JSONValue = try await rig.ask("GET", "/v1/status").json()
      #expect(status["state"] == "ALERT_COUNTDOWN")
      #expect(status["incident"]?["trigger"] == "checkIn")
      for (method, path, json) in [
        ("POST", "/v1/check-ins/series", form("Again?", "13:00")),
        ("PATCH", "/v1/check-ins/series/\(id)", #"{"limit":20}"#),
        ("DELETE", "/v1/check-ins/series/\(id)", "{}"),
        ("DELETE", "/v1/statistics", "{}"),
      ] {
        let answer = try await rig.ask(method, path, json: json)
        #expect(answer.status == 423, "\(method) \(path)")
        #expect(try code(answer) == "locked")
      }
      #expect(try await rig.ask("GET", "/v1/check-ins").status == 200)
      let log = try await rig.ask("GET", "/v1/log?name=checkInEscalated").text
      #expect(log.contains(#""type":"checkIn""#) && log.contains(#""series":\#(id)"#))
      #expect(try await rig.ask("GET", "/v1/log").text.contains("Are you well?") == false)
    }
  }

  @Test func `after set-up what decides whether an alarm starts needs the PIN`() async throws {
    try await run { rig in
      _ = try await rig.ask("PUT", "/v1/account/pin", json: #"{"pin":"2468"}"#)
      let escalating = form("Are you well?", "12:30")
      #expect(
        try code(await rig.ask("POST", "/v1/check-ins/series", json: escalating)) == "pinNeeded")
      let id = try await add(rig, form("Are you well?", "12:30", #","pin":"2468""#))
      let quiet = try await add(rig, form("Drink", "12:30", #","escalates":false"#))
      let path = "/v1/check-ins/series/"
      #expect(try await rig.ask("PATCH", path + "\(quiet)", json: #"{"lead":5}"#).status == 200)
      for (method, json) in [("PATCH", #"{"escalates":false}"#), ("DELETE", "{}")] {
        #expect(try code(await rig.ask(method, path + "\(id)", json: json)) == "pinNeeded")
      }
      #expect(
        try code(await rig.ask("PATCH", path + "\(quiet)", json: #"{"escalates":true}"#))
          == "pinNeeded")
      for _ in 0..<5 {
        _ = try await rig.ask("DELETE", path + "\(id)", json: #"{"pin":"1111"}"#)
      }
      let blocked = try await rig.ask("DELETE", path + "\(id)", json: #"{"pin":"2468"}"#)
      #expect(blocked.status == 429)
      #expect(try code(blocked) == "pinBlocked")
    }
  }

  @Test func `the list is searched whatever the case, and read in pages`() async throws {
    try await run { rig in
      for (index, words) in ["Take the pills", "Are you well?", "Water the PILLars"].enumerated() {
        _ = try await add(rig, form(words, "13:0\(index)", #","escalates":false"#))
      }
      let found: JSONValue = try await rig.ask(
        "GET", "/v1/check-ins?view=overview&search=pill"
      ).json()
      #expect(
        found["checkIns"]?.elements.compactMap { $0["description"]?.text }
          == ["Take the pills", "Water the PILLars"])
      var seen: [String] = []
      var next = ""
      repeat {
        let page: JSONValue = try await rig.ask("GET", "/v1/check-ins?limit=20\(next)").json()
        seen += page["checkIns"]!.elements.map { "\($0["series"]!) \($0["key"]!)" }
        next = page["next"]?.text.map { "&after=\($0)" } ?? ""
      } while !next.isEmpty
      #expect(seen.count == 93 && Set(seen).count == 93)
    }
  }

  @Test func `a series is previewed, edited, moved for once, and ends`() async throws {
    try await run { rig in
      let draft = form("", "12:30")
      let preview: JSONValue = try await rig.ask(
        "POST", "/v1/check-ins/preview", json: draft
      ).json()
      #expect(preview["moments"]?.elements.count == 31)
      let id = try await add(rig, form("Are you well?", "12:30", #","escalates":false"#))
      let edited: JSONValue = try await rig.ask(
        "POST", "/v1/check-ins/preview", json: #"{"series":\#(id),"rule":{"kind":"once"}}"#
      ).json()
      #expect(edited["moments"]?.elements.count == 1)
      let key = try #require(preview["moments"]?.elements.first?["key"]?.text)
      let moved = try await rig.ask(
        "PATCH", "/v1/check-ins/\(id)/\(key)", json: #"{"date":"\#(today)","time":"14:00"}"#)
      #expect(moved.status == 200, "\(moved.text)")
      let past = try await rig.ask(
        "PATCH", "/v1/check-ins/\(id)/\(key)", json: #"{"date":"\#(today)","time":"11:00"}"#)
      #expect(try code(past) == "movedPast")
      let series: JSONValue = try await rig.ask("GET", "/v1/check-ins/series/\(id)").json()
      #expect(series["exceptions"]?.elements.first?["key"]?.text == key)
      #expect(
        try code(await rig.ask("POST", "/v1/check-ins/series", json: form("", "12:30")))
          == "noDescription")
    }
  }

  /// Ten thousand series: reading them holds nobody up who asks for the status.
  @Test(.enabled(if: Soak.isOn))
  func `ten thousand series are listed, and no status waits for it`() async throws {
    try await run { rig in
      let done = try OneShot<Bool>()
      let began = BootClock.now()
      let (bridge, today) = (bridge, today)
      // Nobody else's answer waits for the thread on which they are added.
      try await blocking {
        for index in 1...10_000 {
          var draft = CheckInDraft()
          draft.description = "Are you well? \(index)"
          draft.rule = .days(every: 1)
          draft.minute = 720 + index % 720
          draft.start = CivilDate(text: today)
          bridge.perform(.checkIn(.add(draft), isProven: true)) { _ in
            if index == 10_000 { done.open(with: true) }
          }
        }
        _ = try done.pass()
      }
      print("10,000 series added in \((BootClock.now() - began).microseconds / 1_000) ms")
      for path in ["series", "?view=overview", "?view=all", "?view=all&search=9999"] {
        let path = path.hasPrefix("?") ? path : "/" + path
        let began = BootClock.now()
        async let answer = rig.ask("GET", "/v1/check-ins\(path)")
        var longest = Interval.zero
        for _ in 0..<100 {
          let began = BootClock.now()
          _ = bridge.status
          longest = max(longest, BootClock.now() - began)
          try await Task.sleep(for: .milliseconds(2))
        }
        let bytes = try await answer.body.count
        print(
          "\(path): \(bytes) bytes in \((BootClock.now() - began).microseconds / 1_000) ms; status"
            + " waited \(longest.microseconds) µs at the most")
      }
    }
  }
}
