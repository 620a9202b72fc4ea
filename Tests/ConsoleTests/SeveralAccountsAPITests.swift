import AlertCore
import Bridge
import FobBase
import Foundation
import SerialIO
import Storage
import Synchronization
import TestSupport
import Testing

@testable import Console

/// The API of a core with several accounts: a token names its account, or the whole core.
struct SeveralAccountsAPITests {
  private struct Made: Decodable {
    let number: Int
    let token: String
  }

  private struct Row: Decodable {
    let number: Int
    let owner: String?
    let keychains: Int
    let isSuspended: Bool
  }

  private struct Person: Decodable { let name: String }

  private static func profile(_ number: Int) -> String {
    #"{"name":"Owner \#(number)","email":"owner-\#(number)@example.org","#
      + #""mobile":"+15555550100","country":"US"}"#
  }

  private func run(
    changeRate: RateLimit? = nil, _ body: (Rig) async throws -> Void
  ) async throws {
    let folder = try ScratchDirectory()
    let store = try AlertStore(directory: folder.path("state"))
    let bridge = try AlertBridge(account: .none, store: store, sinks: []) { _ in }
    try bridge.start([])
    let rig = try await Rig(on: LiveCore(bridge: bridge, store: store)) {
      $0.accounts = LiveAccounts(of: bridge)
      if let changeRate { $0.changeRate = changeRate }
    }
    do {
      try await body(rig)
    } catch {
      await rig.server.stop()
      bridge.stop()
      throw error
    }
    await rig.server.stop()
    bridge.stop()
  }

  private func make(_ number: Int, by rig: Rig) async throws -> Made {
    let answer = try await rig.ask("POST", "/v1/accounts", json: Self.profile(number))
    #expect(answer.status == 201)
    return try answer.json()
  }

  private func ask(
    _ rig: Rig, _ method: String, _ path: String, token: String, json: String? = nil
  ) async throws -> RawClient.Response {
    try await rig.ask(
      method, path, as: nil, json: json, headers: ["Authorization": "Bearer \(token)"])
  }

  @Test func `an account is made with a token, and what it asks is answered for it alone`()
    async throws
  {
    try await run { rig in
      let made = [try await make(2, by: rig), try await make(3, by: rig)]
      #expect(made.map(\.number) == [2, 3])
      let contact = #"{"name":"Contact 1","numbers":[{"number":"+15555550101","chosen":true}]}"#
      let added = try await ask(rig, "POST", "/v1/contacts", token: made[0].token, json: contact)
      #expect(added.status == 201)
      for made in made {
        let account = try await ask(rig, "GET", "/v1/account", token: made.token)
        #expect(try account.json(Person.self).name == "Owner \(made.number)")
      }
      #expect(
        !(try await ask(rig, "GET", "/v1/contacts", token: made[1].token).text.contains("0101")))
      let log = try await ask(rig, "GET", "/v1/log", token: made[1].token).text
      #expect(!log.contains("contactAdded"))
      // The whole core's token has what is one account's of the first, which nobody has made.
      #expect(try await rig.ask("GET", "/v1/account").status == 404)
    }
  }

  @Test func `the accounts are listed for who runs the core, with their owners masked`()
    async throws
  {
    try await run { rig in
      let made = try await make(2, by: rig)
      let claim = try await ask(
        rig, "PUT", "/v1/devices/8000000000000007/claim", token: made.token, json: "{}")
      #expect(claim.status == 200)
      let rows = try await rig.ask("GET", "/v1/accounts").json([Row].self)
      #expect(rows.map(\.number) == [1, 2])
      #expect(rows.map(\.owner) == [nil, "owne****@example.org"])
      #expect(rows.map(\.keychains) == [0, 1])
      let metrics = try await rig.ask("GET", "/metrics").text
      #expect(metrics.contains(#"fob_accounts{state="NO_EMERGENCY"} 2"#))
    }
  }

  @Test func `who runs the core looks up whose a keychain is, and another owner does not`()
    async throws
  {
    struct Whose: Decodable, Equatable {
      let device: String
      let owner: String?
      let account: Int?
    }
    try await run { rig in
      let made = [try await make(2, by: rig), try await make(3, by: rig)]
      let device = "8000000000000007"
      let claim = "/v1/devices/\(device)/claim"
      #expect(try await rig.ask("GET", claim).status == 404)
      let claimed = try await ask(rig, "PUT", claim, token: made[1].token, json: "{}")
      #expect(claimed.status == 200)
      #expect(
        try await rig.ask("GET", claim).json(Whose.self)
          == Whose(device: device, owner: "owne****@example.org", account: 3))
      #expect(try await ask(rig, "GET", claim, token: made[0].token).status == 404)
    }
  }

  @Test func `what is the whole core's is refused to a token of an account`() async throws {
    try await run { rig in
      let made = try await make(2, by: rig)
      for path in ["/v1/accounts", "/metrics", "/v1/bench"] {
        let answer = try await ask(rig, "GET", path, token: made.token)
        #expect(answer.status == 403)
        #expect(try answer.json(ProblemBody.self).code == "coreNeeded")
      }
      #expect(throws: TokenBook.Refusal.self) {
        try rig.tokens.create(name: "bridge", scope: .feed, account: AccountNumber(2))
      }
    }
  }

  @Test func `a suspended account has its alarm, and nothing else until it goes on`() async throws {
    try await run { rig in
      let made = try await make(2, by: rig)
      let suspension = "/v1/accounts/2/suspension"
      #expect(try await rig.ask("PUT", suspension, json: "{}").status == 204)
      let refused = try await ask(rig, "GET", "/v1/contacts", token: made.token)
      #expect(try refused.json(ProblemBody.self).code == "accountSuspended")
      #expect(try await ask(rig, "GET", "/v1/status", token: made.token).status == 200)
      let disarm = try await ask(
        rig, "POST", "/v1/incidents/current/disarm", token: made.token, json: #"{"pin":"2468"}"#)
      #expect(try disarm.json(ProblemBody.self).code == "wrongPIN")
      #expect(try await rig.ask("GET", "/v1/accounts").json([Row].self)[1].isSuspended)
      #expect(try await rig.ask("DELETE", suspension).status == 204)
      #expect(try await ask(rig, "GET", "/v1/contacts", token: made.token).status == 200)
      #expect(try await rig.ask("PUT", "/v1/accounts/1/suspension", json: "{}").status == 409)
      #expect(try await rig.ask("PUT", "/v1/accounts/9/suspension", json: "{}").status == 404)
    }
  }

  /// Sends a request up to the middle of its body, and the rest when `meanwhile` has returned.
  private func slowly(
    _ rig: Rig, token: String, _ meanwhile: () async throws -> Void
  ) async throws -> RawClient.Response {
    let body = #"{"name":"Late","numbers":[{"number":"+15555550109","chosen":true}]}"#
    let client = try RawClient(port: rig.port)
    try client.send(
      "POST /v1/contacts HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer \(token)\r\n"
        + "Connection: close\r\nContent-Type: application/json\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body.prefix(9))")
    // The same two event loops and threads answer these: the head has been read by then.
    for _ in 0..<50 {
      _ = try await ask(rig, "GET", "/v1/account", token: token)
    }
    try await meanwhile()
    try client.send(String(body.dropFirst(9)))
    return try await blocking { try client.response() }
  }

  @Test func `who is shut out between a request's head and its body does nothing`() async throws {
    try await run { rig in
      let made = try await make(2, by: rig)
      let (token, text) = try rig.tokens.create(
        name: "phone", scope: .administer, account: AccountNumber(2))
      let revoked = try await slowly(rig, token: text) { try rig.tokens.revoke(id: token.id) }
      #expect(revoked.status == 401)
      let suspended = try await slowly(rig, token: made.token) {
        let answer = try await rig.ask("PUT", "/v1/accounts/2/suspension", json: "{}")
        #expect(answer.status == 204)
      }
      #expect(try suspended.json(ProblemBody.self).code == "accountSuspended")
      #expect(try await rig.ask("DELETE", "/v1/accounts/2/suspension").status == 204)
      #expect(!(try await ask(rig, "GET", "/v1/contacts", token: made.token).text.contains("Late")))
      let served = try await slowly(rig, token: made.token) {}
      #expect(served.status == 201)
    }
  }

  @Test func `a suspended account's stream ends and says why`() async throws {
    try await run { rig in
      let made = try await make(2, by: rig)
      let port = rig.port
      let reader = try await blocking {
        let client = try RawClient(port: port)
        _ = try EventReader(client, token: made.token).next()
        return client
      }
      #expect(try await rig.ask("PUT", "/v1/accounts/2/suspension", json: "{}").status == 204)
      let rest = try await blocking {
        var rest: [UInt8] = []
        while case let more = try reader.receive(), !more.isEmpty { rest += more }
        return String(decoding: rest, as: UTF8.self)
      }
      #expect(rest.contains("event: dropped") && rest.contains("suspended"))
    }
  }

  @Test func `what is asked of an account that was deleted meanwhile is a problem`() throws {
    let folder = try ScratchDirectory()
    let store = try AlertStore(directory: folder.path("state"))
    let bridge = try AlertBridge(account: .none, store: store, sinks: []) { _ in }
    try bridge.start([])
    defer { bridge.stop() }
    let accounts = LiveAccounts(of: bridge)
    let number = try #require(AccountNumber(2))
    #expect(throws: Problem.unknownAccount) { try accounts.export(number) { _ in } }
    #expect(throws: Problem.unknownAccount) { try accounts.suspend(number, true) }
    #expect(throws: Problem.unknownAccount) { try accounts.delete(number, by: "administrator") }
  }

  @Test func `a deleted account's token lets nobody in, and what was exported can be imported`()
    async throws
  {
    try await run { rig in
      let made = [try await make(2, by: rig), try await make(3, by: rig)]
      let exported = try await rig.ask("GET", "/v1/accounts/2/export")
      #expect(exported.status == 200)
      let confirmed = #"{"confirm":"delete"}"#
      let refused = try await ask(
        rig, "DELETE", "/v1/accounts/2", token: made[1].token, json: confirmed)
      #expect(refused.status == 403)
      #expect(try await rig.ask("DELETE", "/v1/accounts/2", json: "{}").status == 422)
      #expect(try await rig.ask("DELETE", "/v1/accounts/2", json: confirmed).status == 204)
      #expect(try await ask(rig, "GET", "/v1/account", token: made[0].token).status == 401)
      #expect(try await ask(rig, "GET", "/v1/account", token: made[1].token).status == 200)
      #expect(try rig.tokens.tokens().allSatisfy { $0.account != 2 })
      #expect(try await rig.ask("GET", "/v1/accounts").json([Row].self).map(\.number) == [1, 3])
      #expect(try await rig.ask("DELETE", "/v1/accounts/1", json: confirmed).status == 409)
      let folder = try ScratchDirectory()
      try StateImport.read(
        Data(exported.text.utf8), named: "account-2.json", into: folder.path("other"))
      let other = try AlertStore(directory: folder.path("other"))
      #expect(try other.account()?.name == "Owner 2")
      #expect(try other.log(LogSearch(limit: 10)).map(\.id).first == 1)
    }
  }

  @Test func `a token of an account that was not there is not its owner's`() async throws {
    try await run { rig in
      let early = try rig.tokens.create(
        name: "early", scope: .administer, account: AccountNumber(2))
      let made = try await make(2, by: rig)
      #expect(try await ask(rig, "GET", "/v1/account", token: early.text).status == 401)
      #expect(try await ask(rig, "GET", "/v1/account", token: made.token).status == 200)
    }
  }

  @Test func `an account needs an address that no other has, and a name`() async throws {
    try await run { rig in
      _ = try await make(2, by: rig)
      let again = try await rig.ask("POST", "/v1/accounts", json: Self.profile(2))
      #expect(again.status == 409)
      let nameless = try await rig.ask(
        "POST", "/v1/accounts", json: #"{"name":"","country":"US","email":"","mobile":""}"#)
      #expect(nameless.status == 422)
      #expect(try await rig.ask("GET", "/v1/accounts").json([Row].self).count == 2)
    }
  }

  @Test func `an owner logs in to the page by their own address and PIN`() async throws {
    try await run { rig in
      let made = [try await make(2, by: rig), try await make(3, by: rig)]
      for (made, pin) in zip(made, ["2468", "1357"]) {
        let set = try await ask(
          rig, "PUT", "/v1/account/pin", token: made.token, json: #"{"pin":"\#(pin)"}"#)
        #expect(set.status == 200)
      }
      let other = #"{"email":"owner-2@example.org","pin":"1357"}"#
      #expect(try await rig.ask("POST", "/v1/session", as: nil, json: other).status == 403)
      let own = #"{"email":"Owner-3@example.org","pin":"1357"}"#
      let opened = try await rig.ask("POST", "/v1/session", as: nil, json: own)
      #expect(opened.status == 200)
      struct Opened: Decodable { let key: String }
      let cookie = try #require(opened.headers["set-cookie"]?.split(separator: ";").first)
      let account = try await rig.ask(
        "GET", "/v1/account", as: nil,
        headers: ["Cookie": "\(cookie)", "Fob-Session-Key": try opened.json(Opened.self).key])
      #expect(try account.json(Person.self).name == "Owner 3")
    }
  }

  @Test func `one owner's disarms keep no other from disarming`() async throws {
    DescriptorLimit.raise()
    try await run { rig in
      let made = [try await make(2, by: rig), try await make(3, by: rig)]
      for made in made {
        let set = try await ask(
          rig, "PUT", "/v1/account/pin", token: made.token, json: #"{"pin":"2468"}"#)
        #expect(set.status == 200)
      }
      let port = rig.port
      let requests = made.map { made in
        "POST /v1/incidents/current/disarm HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n"
          + "Authorization: Bearer \(made.token)\r\nContent-Type: application/json\r\n"
          + "Content-Length: 14\r\nConnection: close\r\n\r\n" + #"{"pin":"2468"}"#
      }
      let status = try await blocking {
        let flood = try (1...200).map { _ in try RawClient(port: port) }
        for client in flood { try client.send(requests[1]) }
        let own = try RawClient(port: port)
        try own.send(requests[0])
        return try withExtendedLifetime(flood) { try own.response().status }
      }
      // Its PIN was right, and nothing is open.
      #expect(status == 409)
    }
  }

  @Test func `an account that is changed too often waits, and its alarm and others do not`()
    async throws
  {
    let rate = RateLimit(burst: 3, every: .minutes(1), longest: .minutes(3))
    try await run(changeRate: rate) { rig in
      let made = [try await make(2, by: rig), try await make(3, by: rig)]
      func change(_ made: Made) async throws -> RawClient.Response {
        try await ask(rig, "POST", "/v1/affirmations", token: made.token, json: #"{"text":"A"}"#)
      }
      for _ in 1...3 { #expect(try await change(made[0]).status != 429) }
      let refused = try await change(made[0])
      #expect(refused.status == 429)
      #expect(try refused.json(ProblemBody.self).code == "tooManyChanges")
      let seconds = try #require(refused.headers["retry-after"].flatMap { Int($0) })
      #expect((1...60).contains(seconds))
      #expect(
        try await ask(rig, "GET", "/v1/affirmations", token: made[0].token).status == 200)
      let disarm = try await ask(
        rig, "POST", "/v1/incidents/current/disarm", token: made[0].token,
        json: #"{"pin":"2468"}"#)
      #expect(try disarm.json(ProblemBody.self).code == "wrongPIN")
      #expect(try await change(made[1]).status != 429)
      for number in 4...7 { _ = try await make(number, by: rig) }
    }
  }

  @Test func `the link in a mail confirms the address of the account that it was mailed to`()
    async throws
  {
    let folder = try ScratchDirectory()
    let store = try AlertStore(directory: folder.path("state"))
    let mailed = Mutex<[String]>([])
    let bridge = try AlertBridge(account: .none, store: store, sinks: []) { _ in }
    try bridge.start([])
    defer { bridge.stop() }
    let rig = try await Rig(on: LiveCore(bridge: bridge, store: store)) {
      $0.accounts = LiveAccounts(of: bridge)
      $0.mailsLeadBack = true
      $0.mail = { _, _, text, _ in mailed.withLock { $0.append(text) } }
    }
    let made = [try await make(2, by: rig), try await make(3, by: rig)]
    for made in made {
      let asked = try await ask(
        rig, "POST", "/v1/account/confirmation", token: made.token, json: "{}")
      #expect(asked.status == 204)
    }
    let text = try #require(mailed.withLock { $0.last })
    let path = try #require(text.firstMatch(of: #/\/v1\/account\/confirm\?token=\S+/#)).output
    #expect(try await rig.ask("POST", String(path), as: nil).status == 200)
    #expect(bridge.accounts.map(\.account.isEmailConfirmed) == [false, false, true])
    await rig.server.stop()
  }

  @Test func `a contact's link names the account of its alarm, and older links the first`() throws {
    let links = Links(key: Array(0..<32))
    let incident = try #require(IncidentID("572d7ee300000002-00000001-8000000000000b0b"))
    for number in [1, 2, AccountNumber.last.rawValue] {
      let account = try #require(AccountNumber(number))
      let token = links.acknowledgement(of: incident, by: "contact|1", in: account)
      let read = try #require(links.acknowledgement(token))
      #expect(read.account == account && read.incident == incident)
      #expect(read.contact == "contact|1")
    }
  }
}
