import AlertCore
import Bridge
import FobBase
import Sinks
import Storage
import TestSupport
import Testing

@testable import Console

/// The five messages by the API on a real bridge and a real store (R62 to R68).
@Suite final class LiveMessageTests {
  private let folder: ScratchDirectory
  private let store: AlertStore
  private let bridge: AlertBridge

  private struct TakingSink: Sink {
    let name = "taking"
    func deliver(_ message: OutgoingMessage) {}
  }

  init() throws {
    folder = try ScratchDirectory()
    store = try AlertStore(directory: folder.path("state"))
    var account = BenchCore.owner
    account.pinHash = nil
    bridge = try AlertBridge(account: account, store: store, sinks: [TakingSink()]) { _ in }
    try bridge.start([])
  }

  deinit { bridge.stop() }

  private func run(_ body: (Rig) async throws -> Void) async throws {
    let rig = try await Rig(on: LiveCore(bridge: bridge, store: store))
    do {
      try await body(rig)
    } catch {
      await rig.server.stop()
      throw error
    }
    await rig.server.stop()
  }

  private func fill(_ rig: Rig, _ slot: Int, _ message: String) async throws -> RawClient.Response {
    try await rig.ask(
      "PUT", "/v1/messages/slots/\(slot)",
      json: #"{"contact":"contact-1","message":"\#(message)"}"#)
  }

  private func code(_ answer: RawClient.Response) throws -> String {
    try answer.json(ProblemBody.self).code
  }

  @Test func `R62: five slots, each with a contact or a number, and its clicks`() async throws {
    try await run { rig in
      #expect(try await fill(rig, 1, "I am safe").status == 200)
      let own = #"{"name":"Contact 9","number":"(202) 555-0109","message":"Call me"}"#
      #expect(try await rig.ask("PUT", "/v1/messages/slots/5", json: own).status == 200)
      let answer: JSONValue = try await rig.ask("GET", "/v1/messages/slots").json()
      let slots = try #require(answer["slots"]?.elements)
      #expect(slots.map { $0["clicks"] } == (2...6).map { .integer($0) })
      #expect(slots[0]["name"] == "Contact 1" && slots[0]["units"] == .integer(9))
      #expect(slots[4]["number"] == "+12025550109")
      #expect(slots[1]["message"] == "" && slots[1]["isComplete"] == .boolean(false))
      #expect(try code(await rig.ask("PUT", "/v1/messages/slots/6", json: own)) == "notFound")
    }
  }

  @Test func `R63: 160 characters are taken, 161 are refused with their count`() async throws {
    try await run { rig in
      #expect(try await fill(rig, 1, String(repeating: "a", count: 160)).status == 200)
      let refused = try await fill(rig, 1, String(repeating: "a", count: 161))
      #expect(refused.status == 422 && refused.text.contains("has 161 characters"))
      #expect(try refused.json(ProblemBody.self).field == "message")
    }
  }

  @Test func `R64: one request sends at once, and the same key or minute sends nothing twice`()
    async throws
  {
    try await run { rig in
      _ = try await fill(rig, 2, "I am safe")
      let path = "/v1/messages/slots/2/send"
      let first = try await rig.ask("POST", path, as: .operate, json: #"{"key":"a"}"#)
      #expect(first.status == 202, "\(first.text)")
      let send: JSONValue = try first.json()
      #expect(send["message"] == "I am safe" && send["recipient"] == "Contact 1")
      for key in ["a", "b"] {
        let again: JSONValue = try await rig.ask("POST", path, json: #"{"key":"\#(key)"}"#).json()
        #expect(again["id"] == send["id"])
      }
      let list: JSONValue = try await rig.ask("GET", "/v1/messages").json()
      #expect(list["total"] == .integer(1))
      let log = try await rig.ask("GET", "/v1/log?name=messageAsked").text
      #expect(log.contains(#""slot":2"#) && !log.contains("I am safe"))
    }
  }

  @Test func `R65: a slot that is not complete is not sent, which the log says`() async throws {
    try await run { rig in
      _ = try await fill(rig, 3, "")
      let answer = try await rig.ask(
        "POST", "/v1/messages/slots/3/send", json: #"{"key":"a"}"#)
      #expect(answer.status == 409)
      #expect(try code(answer) == "incomplete")
      #expect(try await rig.ask("GET", "/v1/log?name=messageFailed").text.contains("not complete"))
    }
  }

  @Test func `R66: a slot is filled, filled otherwise and emptied, after set-up by the PIN`()
    async throws
  {
    try await run { rig in
      _ = try await rig.ask("PUT", "/v1/account/pin", json: #"{"pin":"2468"}"#)
      #expect(try code(await fill(rig, 1, "I am safe")) == "pinNeeded")
      let path = "/v1/messages/slots/1"
      let form = #"{"contact":"contact-1","message":"a","pin":"2468"}"#
      #expect(try await rig.ask("PUT", path, json: form).status == 200)
      #expect(try code(await rig.ask("DELETE", path, json: "{}")) == "pinNeeded")
      #expect(
        try await rig.ask("POST", path + "/send", json: #"{"key":"a"}"#).status == 202)
      #expect(try await rig.ask("DELETE", path, json: #"{"pin":"2468"}"#).status == 200)
      #expect(
        try code(await rig.ask("DELETE", path, json: #"{"pin":"2468"}"#)) == "unchanged")
    }
  }

  @Test func `R67: a file of three lines is read back byte for byte`() async throws {
    try await run { rig in
      let path = "/v1/messages/files/alert01.txt"
      func put(_ text: String) async throws -> RawClient.Response {
        try await rig.ask("PUT", path, json: text, headers: ["Content-Type": "text/plain"])
      }
      #expect(try await rig.ask("GET", path).text == "\n\n\n")
      let file = "Contact 9\n+12025550109\nPlease call ~me!\n"
      #expect(try await put(file).status == 200)
      #expect(try await rig.ask("GET", path).text == file)
      for (wrong, words) in [
        ("a\n+12025550109\nb", "three lines"), ("a\n+12025550109\nb\n\n", "three lines"),
        ("a\n+12025550109\nJos\u{E9}\n", "U+00E9 LATIN SMALL LETTER E WITH ACUTE"),
        ("a\r\n+12025550109\nb\n", "U+000D"), ("a\n(202) 555-0109\nb\n", "+12025550109"),
      ] {
        let refused = try await put(wrong)
        #expect(refused.status == 422 && refused.text.contains(words), "\(refused.text)")
      }
      #expect(try await rig.ask("GET", path).text == file)
      #expect(try await put("\n\n\n").status == 200)
      #expect(try await rig.ask("GET", path).text == "\n\n\n")
      _ = try await fill(rig, 1, "Caf\u{E9}")
      #expect(try code(await rig.ask("GET", path)) == "notASCII")
      #expect(try await rig.ask("GET", "/v1/messages/files/alert06.txt").status == 404)
    }
  }

  @Test func `R68: help links are listed as they were written, ten at the most`() async throws {
    try await run { rig in
      let link = #"{"label":"Crisis line","phone":"988","address":"https://example.org/"}"#
      let path = "/v1/help/links"
      #expect(try await rig.ask("PUT", path, json: #"{"links":[\#(link)]}"#).status == 200)
      let answer: JSONValue = try await rig.ask("GET", path).json()
      #expect(answer["links"]?.elements.first?["phone"] == "988")
      let many = Array(repeating: link, count: 11).joined(separator: ",")
      #expect(try await rig.ask("PUT", path, json: #"{"links":[\#(many)]}"#).status == 422)
      let plain = #"{"links":[{"label":"a","address":"http://example.org/"}]}"#
      #expect(try await rig.ask("PUT", path, json: plain).status == 422)
    }
  }

  @Test func `while an alarm is open no slot is changed or sent, and all are read`() async throws {
    try await run { rig in
      _ = try await rig.ask("PUT", "/v1/protection", json: "{}")
      _ = try await fill(rig, 1, "I am safe")
      let trigger = #"{"source":"fall","device":"\#(BenchCore.device.text)","key":"a"}"#
      _ = try await rig.ask("POST", "/v1/triggers", json: trigger)
      let status: JSONValue = try await rig.ask("GET", "/v1/status").json()
      #expect(status["state"] == "ALERT_COUNTDOWN")
      #expect(try await fill(rig, 1, "a").status == 423)
      for (method, path, json) in [
        ("DELETE", "/v1/messages/slots/1", "{}"),
        ("POST", "/v1/messages/slots/1/send", #"{"key":"a"}"#),
        ("PUT", "/v1/help/links", #"{"links":[]}"#),
      ] {
        #expect(try await rig.ask(method, path, json: json).status == 423, "\(method) \(path)")
      }
      #expect(try await rig.ask("GET", "/v1/messages/slots").status == 200)
    }
  }
}
