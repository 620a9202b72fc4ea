import FobBase
import Foundation
import HTTPTypes
import SerialIO
import TestSupport
import Testing

@testable import AlertCore
@testable import Console

/// The page's way in, and that no other page can use it.
struct SessionTests {
  private struct Opened: Decodable { let key: String }

  /// The headers by which a page is let in.
  private func logIn(_ rig: Rig) async throws -> [String: String] {
    let answer = try await rig.ask(
      "POST", "/v1/session", as: nil, json: #"{"code":"\#(rig.code.text.lowercased())"}"#)
    #expect(answer.status == 200)
    let set = try #require(answer.headers["set-cookie"])
    #expect(set.hasPrefix("fob-\(rig.port)="))
    #expect(set.hasSuffix("; HttpOnly; SameSite=Strict; Path=/; Max-Age=43200"))
    let key = try answer.json(Opened.self).key
    #expect(key.count == 43 && !set.contains(key))
    return ["Cookie": String(set.prefix { $0 != ";" }), "Fob-Session-Key": key]
  }

  @Test func `a code is exchanged once, for a cookie and a key that let the page in`() async throws
  {
    try await Rig.run { rig in
      let own = try await logIn(rig)
      let again = try await rig.ask(
        "POST", "/v1/session", as: nil, json: #"{"code":"\#(rig.code.text)"}"#)
      #expect(again.status == 403)
      #expect(try await rig.ask("GET", "/v1/status", as: nil, headers: own).status == 200)
    }
  }

  @Test func `a cookie that another port of this host has heard lets nobody in`() async throws {
    try await Rig.run { rig in
      let own = try await logIn(rig)
      let cookie = try #require(own["Cookie"])
      for key in [nil, "", "x", String(cookie.dropFirst(cookie.count - 43))] {
        var stolen = ["Cookie": cookie]
        stolen["Fob-Session-Key"] = key
        for operation in OperationTable.standard.operations where operation.scope != nil {
          let answer = try await rig.ask(
            operation.method.rawValue, AuthorizationTests.path(of: operation), as: nil,
            json: "{}", headers: stolen)
          #expect(answer.status == 401, "\(operation.name)")
        }
      }
      // Nor the key alone, nor either at another core, whose cookie has another name.
      var alone = own
      alone["Cookie"] = nil
      #expect(try await rig.ask("GET", "/v1/status", as: nil, headers: alone).status == 401)
      try await Rig.run { other in
        let renamed = cookie.replacing("fob-\(rig.port)", with: "fob-\(other.port)")
        for cookie in [cookie, renamed] {
          let carried = own.merging(["Cookie": cookie]) { $1 }
          let answer = try await other.ask("GET", "/v1/status", as: nil, headers: carried)
          #expect(answer.status == 401)
        }
      }
      #expect(try await rig.ask("GET", "/v1/status", as: nil, headers: own).status == 200)
    }
  }

  @Test func `cores on one host keep their cookies apart by the port that is asked`() async throws {
    try await Rig.run { rig in
      for (host, name) in [
        ("localhost", "fob"), ("localhost:81", "fob-81"), ("[::1]", "fob"), ("[::1]:9", "fob-9"),
      ] {
        let answer = try await rig.ask(
          "DELETE", "/v1/session", as: .observe, headers: ["Host": host])
        #expect(answer.headers["set-cookie"]?.hasPrefix("\(name)=;") == true, "\(host)")
      }
    }
  }

  @Test func `no page is a bridge`() async throws {
    try await Rig.run { rig in
      let own = try await logIn(rig).merging(["Origin": rig.origin]) { $1 }
      let answer = try await rig.ask("POST", "/v1/feed", as: nil, json: "{}", headers: own)
      #expect(answer.status == 403)
    }
  }

  @Test func `the cookie changes nothing for another site's page`() async throws {
    try await Rig.run { rig in
      let own = try await logIn(rig).merging([
        "Content-Type": "application/json", "Origin": rig.origin,
      ]) { $1 }
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
      let own = try await logIn(rig).merging([
        "Content-Type": "application/json", "Origin": rig.origin,
      ]) { $1 }
      #expect(try await rig.ask("DELETE", "/v1/session", as: nil, headers: own).status == 204)
      #expect(try await rig.ask("GET", "/v1/status", as: nil, headers: own).status == 401)
    }
  }

  @Test func `wrong tries leave the code to its owner, for ten minutes`() {
    let start = Instant(microseconds: 0)
    let code = OneTimeCode(at: start)
    let (stranger, owner) = (PeerAddress([10, 0, 0, 1]), PeerAddress([127, 0, 0, 1]))
    var looked = 0
    for second: Int64 in 0..<599 {
      for _ in 0..<50
      where code.exchange("AAAAAAAA", from: stranger, at: start + .seconds(second)) == .wrong {
        looked += 1
      }
    }
    // 5 at once, then after 1, 2, 4, 8, 16 s and each 30 s.
    #expect(looked == 5 + 5 + 18)
    let last = start + .minutes(10) + .microseconds(-1)
    #expect(code.exchange(code.text, from: owner, at: last) == .right)
    #expect(code.exchange(code.text, from: owner, at: last) == .wrong, "once")

    let late = OneTimeCode(at: start)
    #expect(late.exchange(late.text, from: owner, at: start + .minutes(10)) == .wrong)
  }

  @Test func `addresses together have ten tries a second, and the owner's first is looked at`() {
    let start = Instant(microseconds: 0)
    let code = OneTimeCode(at: start)
    let strangers = (0..<500).map { PeerAddress([10, 0, UInt8($0 / 256), UInt8($0 % 256)]) }
    var looked = 0
    for millisecond: Int64 in 0..<60_000 {
      let stranger = strangers[Int(millisecond) % strangers.count]
      let now = start + .milliseconds(millisecond)
      if code.exchange("AAAAAAAA", from: stranger, at: now) == .wrong { looked += 1 }
    }
    #expect(looked <= strangers.count + 600)
    let now = start + .seconds(60)
    #expect(code.exchange(code.text, from: PeerAddress([127, 0, 0, 1]), at: now) == .right)
  }

  @Test func `an IPv6 network is one address, and a mapped IPv4 address is itself`() {
    let network: [UInt8] = [0x20, 1, 0xD, 0xB8, 0, 0, 0, 1]
    func host(_ byte: UInt8) -> [UInt8] { network + [0, 0, 0, 0, 0, 0, 0, byte] }
    #expect(PeerAddress(host(1)) == PeerAddress(host(2)))
    let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 10, 0, 0]
    #expect(PeerAddress(mapped + [1]) != PeerAddress(mapped + [2]))
    #expect(PeerAddress(mapped + [1]) == PeerAddress([10, 0, 0, 1]))
  }

  @Test func `who guesses codes is told to wait, and how long`() async throws {
    try await Rig.run { rig in
      func tried(_ code: String) async throws -> RawClient.Response {
        try await rig.ask("POST", "/v1/session", as: nil, json: #"{"code":"\#(code)"}"#)
      }
      for _ in 0..<CodeAttempts.free { #expect(try await tried("AAAAAAAA").status == 403) }
      // Each further wrong one makes wait longer, however slow this machine is.
      var slowed = try await tried("AAAAAAAA")
      for _ in 0..<10 where slowed.status == 403 { slowed = try await tried("AAAAAAAA") }
      #expect(slowed.status == 429)
      #expect((1...30).contains(slowed.headers["retry-after"].flatMap { Int($0) } ?? 0))
    }
  }

  @Test func `a fresh code takes the place of the last one`() {
    let start = Instant(microseconds: 0)
    let code = OneTimeCode(at: start)
    let owner = PeerAddress([127, 0, 0, 1])
    let first = code.text
    let late = start + .minutes(60)
    let second = code.renew(at: late)
    #expect(second != first && second == code.text)
    #expect(code.exchange(first, from: owner, at: late) == .wrong)
    #expect(code.exchange(second, from: owner, at: late + .minutes(9)) == .right)
    #expect(code.exchange(second, from: owner, at: late + .minutes(9)) == .wrong, "once")
  }

  private func knock(_ rig: Rig, _ email: String, _ pin: String) async throws -> RawClient.Response
  {
    try await rig.ask(
      "POST", "/v1/session", as: nil, json: #"{"email":"\#(email)","pin":"\#(pin)"}"#)
  }

  @Test func `the owner is let in by mail address and PIN, whatever the account is doing`()
    async throws
  {
    for refusal in [nil, UserCommand.Refusal.unchanged, .locked] {
      try await Rig.run { rig in
        rig.core.set { $0.refusal = refusal }
        let answer = try await knock(rig, "Owner@example.org", "2468")
        #expect(answer.status == 200, "\(String(describing: refusal))")
        let cookie = try #require(answer.headers["set-cookie"]).prefix { $0 != ";" }
        let own = ["Cookie": String(cookie), "Fob-Session-Key": try answer.json(Opened.self).key]
        #expect(try await rig.ask("GET", "/v1/status", as: nil, headers: own).status == 200)
      }
    }
  }

  @Test func `a wrong PIN, or one that must wait, lets nobody in`() async throws {
    try await Rig.run { rig in
      let wrong = try await knock(rig, "owner@example.org", "1111")
      #expect(wrong.status == 403 && wrong.headers["set-cookie"] == nil)
      #expect(try wrong.json(ProblemBody.self).code == "wrongPIN")
      rig.core.set { $0.refusal = .pinBlocked }
      let blocked = try await knock(rig, "owner@example.org", "2468")
      #expect(blocked.status == 429 && blocked.headers["retry-after"] == "7")
      for body in [#"{"email":"owner@example.org"}"#, #"{"pin":"2468"}"#, "{}"] {
        #expect(try await rig.ask("POST", "/v1/session", as: nil, json: body).status == 422)
      }
    }
  }

  /// R122: nobody types a PIN for an account that is not there, and no stranger lists accounts.
  @Test func `an unknown mail address is told before any PIN, to whoever guesses ever later`()
    async throws
  {
    try await Rig.run { rig in
      func asked(_ email: String) async throws -> RawClient.Response {
        try await rig.ask("POST", "/v1/account/email", as: nil, json: #"{"email":"\#(email)"}"#)
      }
      #expect(try await asked("OWNER@example.org").status == 204)
      for _ in 0..<2 { #expect(try await knock(rig, "x@example.org", "2468").status == 404) }
      for _ in 2..<CodeAttempts.free {
        let answer = try await asked("x@example.org")
        #expect(answer.status == 404)
        #expect(try answer.json(ProblemBody.self).field == "email")
      }
      for email in ["x@example.org", "owner@example.org"] {
        let slowed = try await asked(email)
        #expect(slowed.status == 429, "\(email)")
        #expect((1...30).contains(slowed.headers["retry-after"].flatMap { Int($0) } ?? 0))
        #expect(try await knock(rig, email, "2468").status == 429)
      }
      #expect(rig.core.asked.isEmpty, "no PIN was looked at")
    }
  }

  @Test func `an account without a mail address is nobody's to ask for`() async throws {
    try await Rig.run { rig in
      rig.core.set { $0.account.email = "" }
      let asked = try await rig.ask(
        "POST", "/v1/account/email", as: nil, json: #"{"email":""}"#)
      #expect(asked.status == 422)
      #expect(try await knock(rig, "", "2468").status == 404)
    }
  }

  @Test func `sessions outlive a restart, as digests that let nobody in`() throws {
    let folder = try ScratchDirectory()
    let start = Instant(microseconds: 0)
    let before = Sessions(folder: folder.path, at: start)
    let (kept, ended) = (before.begin(at: start), before.begin(at: start))
    let session = try #require(before.session(cookie: ended.cookie, key: ended.key, at: start))
    #expect(before.end(at: start) { $0.id == session.id })
    let path = folder.path("sessions.json")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for secret in [kept.cookie, kept.key] { #expect(!text.contains(secret)) }
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    // The boot clock began anew.
    let later = Instant(microseconds: 5)
    let after = Sessions(folder: folder.path, at: later)
    #expect(after.session(cookie: kept.cookie, key: kept.key, at: later) != nil)
    #expect(after.session(cookie: ended.cookie, key: ended.key, at: later) == nil)
    #expect(after.session(cookie: kept.cookie, key: kept.key, at: later + .minutes(12 * 60)) == nil)
    for damage in [
      "", "{", "[]", #"{"sessions":[{"id":"a","cookie":"0","key":"0","expiresWall":9}]}"#,
    ] {
      try damage.write(toFile: path, atomically: true, encoding: .utf8)
      let damaged = Sessions(folder: folder.path, at: later)
      #expect(damaged.session(cookie: kept.cookie, key: kept.key, at: later) == nil)
      #expect(damaged.begin(at: later).key.count == 43)
    }
  }

  @Test func `a logout that cannot be stored says so, since a restart would let the browser in`()
    throws
  {
    let folder = try ScratchDirectory()
    let now = Instant(microseconds: 0)
    let sessions = Sessions(folder: folder.path, at: now)
    let secrets = sessions.begin(at: now)
    let session = try #require(sessions.session(cookie: secrets.cookie, key: secrets.key, at: now))
    try FileManager.default.removeItem(atPath: folder.path)
    #expect(!sessions.end(at: now) { $0.id == session.id })
    #expect(sessions.session(cookie: secrets.cookie, key: secrets.key, at: now) == nil)
  }

  @Test func `a new PIN logs every other browser out`() async throws {
    try await Rig.run { rig in
      let secrets = try await logIn(rig)
      let other = secrets.merging(["Content-Type": "application/json", "Origin": rig.origin]) { $1 }
      let set = try await rig.ask(
        "PUT", "/v1/account/pin", json: #"{"current":"2468","pin":"1357"}"#)
      #expect(set.status == 200)
      #expect(try await rig.ask("GET", "/v1/status", as: nil, headers: other).status == 401)
    }
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
    func isOpen(_ secrets: Sessions.Secrets, at now: Instant) -> Bool {
      sessions.session(cookie: secrets.cookie, key: secrets.key, at: now) != nil
    }
    let first = sessions.begin(at: start)
    #expect(isOpen(first, at: start + .seconds(43_199)))
    #expect(!isOpen(first, at: start + .seconds(43_200)))
    let others = (0..<64).map { _ in sessions.begin(at: start) }
    #expect(!isOpen(first, at: start))
    for other in others { #expect(isOpen(other, at: start)) }
    #expect(sessions.session(cookie: others[0].cookie, key: others[1].key, at: start) == nil)
  }
}
