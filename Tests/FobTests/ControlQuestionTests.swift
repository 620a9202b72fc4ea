import ArgumentParser
import Foundation
import Testing

@testable import fob

@Suite struct ControlQuestionTests {
  @Test(arguments: [
    ("press", #"{"do":"press"}"#),
    ("press --hold-ms 500", #"{"do":"press","hold_ms":500}"#),
    ("press --hold-ms=500", #"{"do":"press","hold_ms":500}"#),
    ("press --hold_ms 500", #"{"do":"press","hold_ms":500}"#),
    ("state --serial 3", #"{"do":"state","serial":3}"#),
    ("--timeout 5 battery --percent 20 --all", #"{"all":true,"do":"battery","percent":20}"#),
    ("press_every --ms 0", #"{"do":"press_every","ms":0}"#),
    ("button --chatter --seed 4", #"{"chatter":true,"do":"button","seed":4}"#),
    ("store --fail false", #"{"do":"store","fail":false}"#),
    ("powercut", #"{"do":"powercut","ms":1000}"#),
    ("watch", #"{"do":"subscribe"}"#),
    ("watch --leds", #"{"do":"subscribe","leds":true}"#),
    ("watch --leds false", #"{"do":"subscribe","leds":false}"#),
    ("fault --kind drop --rate 0.5", #"{"do":"fault","kind":"drop","rate":0.5}"#),
    ("clock --jump-us -5000", #"{"do":"clock","jump_us":-5000}"#),
    ("gps --source story:tunnel", #"{"do":"gps","source":"story:tunnel"}"#),
    ("gps --at_s 30", #"{"at_s":30,"do":"gps"}"#),
    ("wait ready --timeout 0.5", #"{"do":"wait","for":"ready","within_ms":500}"#),
    (
      "wait acked --event 1.3",
      #"{"do":"wait","event":"1.3","for":"acked","within_ms":20000}"#
    ),
    ("presses --after 4096", #"{"after":4096,"do":"presses"}"#),
    ("acknowledge --contact 12", #"{"contact":"12","do":"acknowledge"}"#),
    ("messages", #"{"do":"messages"}"#),
    ("message 2 --key a", #"{"do":"message","key":"a","slot":2}"#),
    ("slot empty 3", #"{"act":"empty","do":"slot","slot":3}"#),
    (
      "slot fill 3 --contact 4 --message Come! --position",
      #"{"act":"fill","contact":"4","do":"slot","message":"Come!","position":true,"slot":3}"#
    ),
    ("affirmations", #"{"do":"affirmations"}"#), ("affirmation", #"{"do":"affirmation"}"#),
    ("affirmation next", #"{"act":"next","do":"affirmation"}"#),
    ("affirmation delete 7", #"{"act":"delete","do":"affirmation","id":7}"#),
    ("affirmation add --text Here.", #"{"act":"add","do":"affirmation","text":"Here."}"#),
    ("reviews --week 2026-W48", #"{"do":"reviews","week":"2026-W48"}"#),
    ("review show 2", #"{"do":"review","id":2}"#),
    ("review begin", #"{"act":"begin","do":"review"}"#),
    ("pair", #"{"do":"pair"}"#),
    ("unpair 8000000000000001", #"{"device":"8000000000000001","do":"unpair"}"#),
    ("review complete 2", #"{"act":"complete","do":"review","id":2}"#),
    ("tap --serial 3", #"{"do":"tap","serial":3}"#),
  ])
  func `a request is typed as words and asked as JSON`(words: String, json: String) throws {
    #expect(try request(words).question().line() == json)
  }

  /// What a process answered, and what a person reads.
  @Test(arguments: [
    ("press", #""hold_ms" must be 1 to 600000"#, "press: --hold-ms must be 1 to 600000"),
    (
      "press", #"say which with "serial", or "all":true"#,
      "press: say which with --serial, or --all"
    ),
    ("slot empty 1", "slot: is not 1 to 5", "slot: is not 1 to 5"),
    (
      "slot empty 1", #"slot needs "act", fill or empty, and "slot", 1 to 5"#,
      "slot needs <act>, fill or empty, and <slot>, 1 to 5"
    ),
    ("disarm", #"disarm needs "pin", four digits"#, "disarm needs --pin, four digits"),
    (
      "gps --at-s 3", #"no story is told: begin one with "source":"story:tunnel""#,
      "gps: no story is told: begin one with --source story:tunnel"
    ),
    (
      "fault --kind drop", #""kind" is "x"; it must be one"#,
      #"fault: --kind is "x"; it must be one"#
    ),
  ])
  func `a refusal is told in the words that are typed, and names the request once`(
    words: String, error: String, told: String
  ) throws {
    let type = Swift.type(of: try request(words))
    let answer = try JSONEncoder().encode(["error": error])
    do throws(Failure) {
      try ControlVerdict.check(
        String(decoding: answer, as: UTF8.self), of: type.request, words: type.typed)
      Issue.record("it is no refusal")
    } catch {
      #expect(error.text == told)
    }
  }

  @Test(arguments: ["3", "3/", "3/2026", "x/20261125T0900", "3/20261125T0960"])
  func `a check-in that cannot be is refused before anybody is asked`(name: String) {
    #expect(throws: (any Error).self) { try request("complete \(name)") }
  }

  @Test(arguments: [
    "--timeout 3 --socket /a press", "press --socket /a --timeout 3",
    "--socket=/a press --timeout=3", "status --socket /a --timeout 3",
  ])
  func `socket and timeout stand before the request or behind it`(words: String) throws {
    let connection = try request(words).connection
    #expect(connection.socket == "/a")
    #expect(connection.timeout == 3)
  }

  @Test func `each request has a help that names its options`() throws {
    let requests = Ctl.configuration.groupedSubcommands.flatMap(\.subcommands)
    #expect(requests.count == 45)
    for request in requests {
      let help = Fob.helpMessage(for: request)
      let isOfKeychain = request is any KeychainRequest.Type
      #expect(help.contains("OVERVIEW: \(request.configuration.abstract.prefix(20))"))
      #expect(help.contains("--socket <socket>") && help.contains("--timeout <timeout>"))
      #expect(help.contains("--serial <serial>") == isOfKeychain)
    }
    for option in ["--kind", "--to", "--rate", "--at", "--count", "--ms", "--byte", "--bit"] {
      #expect(Fob.helpMessage(for: Ctl.Fault.self).contains("\(option) <"))
    }
    #expect(Fob.helpMessage(for: Ctl.Disarm.self).contains("--pin-file <pin-file>"))
  }

  private func request(_ words: String) throws -> any CtlRequest {
    let arguments = Ctl.dashed(["ctl"] + words.split(separator: " ").map(String.init))
    return try #require(try Fob.parseAsRoot(arguments) as? any CtlRequest)
  }
}
