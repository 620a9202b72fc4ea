import FobBase
import SerialIO
import Testing

@testable import Console

/// The page's way in, and that no other page can use it.
struct SessionTests {
  private func cookie(_ rig: Rig) async throws -> String {
    let answer = try await rig.ask(
      "POST", "/v1/session", as: nil, json: #"{"code":"\#(rig.code.text.lowercased())"}"#)
    #expect(answer.status == 204)
    let set = try #require(answer.headers["set-cookie"])
    #expect(set.hasSuffix("; HttpOnly; SameSite=Strict; Path=/; Max-Age=43200"))
    return String(set.prefix { $0 != ";" })
  }

  @Test func `a code is exchanged once, for a cookie that lets the page in`() async throws {
    try await Rig.run { rig in
      let cookie = try await cookie(rig)
      let again = try await rig.ask(
        "POST", "/v1/session", as: nil, json: #"{"code":"\#(rig.code.text)"}"#)
      #expect(again.status == 403)
      let status = try await rig.ask("GET", "/v1/status", as: nil, headers: ["Cookie": cookie])
      #expect(status.status == 200)
    }
  }

  @Test func `the cookie changes nothing for another site's page`() async throws {
    try await Rig.run { rig in
      let cookie = try await cookie(rig)
      let own = ["Cookie": cookie, "Content-Type": "application/json", "Origin": rig.origin]
      func silence(_ edit: [String: String]) async throws -> Int {
        try await rig.ask(
          "POST", "/v1/incidents/current/silence", as: nil, json: "{}",
          headers: own.merging(edit) { $1 }.filter { !$0.value.isEmpty }
        ).status
      }
      #expect(try await silence([:]) == 200)
      #expect(try await silence(["Origin": "http://evil.example.org"]) == 403)
      #expect(try await silence(["Origin": ""]) == 403)
      #expect(try await silence(["Origin": "null"]) == 403)
      #expect(try await silence(["Origin": "", "Sec-Fetch-Site": "same-origin"]) == 200)
      #expect(try await silence(["Origin": "", "Sec-Fetch-Site": "same-site"]) == 403)
      #expect(try await silence(["Content-Type": "text/plain"]) == 415)
      #expect(rig.core.asked.count == 2)
    }
  }

  @Test func `a browser that logs out is out, and others stay in`() async throws {
    try await Rig.run { rig in
      let cookie = try await cookie(rig)
      let own = ["Cookie": cookie, "Content-Type": "application/json", "Origin": rig.origin]
      #expect(try await rig.ask("DELETE", "/v1/session", as: nil, headers: own).status == 204)
      #expect(
        try await rig.ask("GET", "/v1/status", as: nil, headers: ["Cookie": cookie]).status == 401)
    }
  }

  @Test func `a code is void after ten wrong tries, or ten minutes`() {
    let start = Instant(microseconds: 0)
    let tried = OneTimeCode(at: start)
    for _ in 0..<10 { #expect(!tried.exchange("AAAAAAAA", at: start)) }
    #expect(!tried.exchange(tried.text, at: start))

    let late = OneTimeCode(at: start)
    #expect(!late.exchange(late.text, at: start + .minutes(10)))
    let early = OneTimeCode(at: start)
    #expect(early.exchange(early.text, at: start + .minutes(10) + .microseconds(-1)))
  }

  @Test func `a code has eight letters and digits that are hard to mistake`() {
    for _ in 0..<100 {
      let code = OneTimeCode(at: Instant(microseconds: 0)).text
      #expect(code.count == 8)
      #expect(code.allSatisfy { !"0OI1L2Z5S8BUV".contains($0) })
    }
  }

  @Test func `sessions end after twelve hours, and the oldest makes room`() {
    let sessions = Sessions()
    let start = Instant(microseconds: 0)
    let first = sessions.begin(at: start)
    #expect(sessions.isOpen(first, at: start + .seconds(43_199)))
    #expect(!sessions.isOpen(first, at: start + .seconds(43_200)))
    let others = (0..<64).map { _ in sessions.begin(at: start) }
    #expect(!sessions.isOpen(first, at: start))
    for other in others { #expect(sessions.isOpen(other, at: start)) }
  }
}
