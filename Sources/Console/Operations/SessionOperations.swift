import AlertCore
import FobBase
import Hummingbird
import SerialIO
import Synchronization

/// Logs the page in: exchanges a one-time code, or the account's mail address and PIN, for a cookie
/// and a key.
enum SessionOperations {
  static let all = [
    Operation(
      method: .post, path: "/v1/session", scope: nil,
      summary: "Exchanges the one-time code that fob prints, or email and PIN, for a cookie and a"
        + " key",
      form: .json(
        .closed(
          .optional("code", .text(1...32)), .optional("email", .text), .optional("pin", .pin)),
        isRequired: true),
      most: ConsoleLimits.anonymousRequestSize,
      success: [
        .json(
          .open(.needed("key", .text)),
          "The cookie is set; each request by it has the key in Fob-Session-Key, too")
      ], problems: [403, 404, 429],
      handler: begin),
    Operation(
      method: .delete, path: "/v1/session", scope: .observe,
      summary: "Logs this browser out", success: [.nothing("The cookie is gone")], handler: end),
  ]

  private struct Secrets: Decodable {
    let code: String?
    let email: String?
    let pin: String?
  }

  private struct Opened: Encodable { let key: String }

  private static func begin(_ call: Call) async throws -> Response {
    let shown = try call.decode(Secrets.self)
    let account: AccountNumber?
    switch (shown.code, shown.email, shown.pin) {
    case (let code?, nil, nil):
      try exchange(code, call)
      account = nil
    case (nil, let email?, let pin?): account = try await logIn(email, pin, call)
    default:
      throw Problem(.unprocessableContent, "wrongShape", "send code alone, or email and pin")
    }
    // It waits for the disk.
    let sessions = call.api.sessions
    let secrets = try await call.api.records.run(of: .account(account ?? .first)) {
      sessions.begin(of: account, at: BootClock.now())
    }
    var response = Reply.json(Opened(key: secrets.key))
    set(secrets.cookie, seconds: ConsoleLimits.session, call, in: &response)
    return response
  }

  private static func exchange(_ code: String, _ call: Call) throws(Problem) {
    switch call.api.code?.exchange(code, from: call.peer, at: BootClock.now()) ?? .wrong {
    case .right: break
    case .wrong:
      throw Problem(
        .forbidden, "wrongCode", "wrong, used or too old; fob code prints a new one",
        field: "code")
    case .wait(let interval):
      var problem = Problem(.tooManyRequests, "tooManyCodes", "too many wrong codes; wait")
      problem.retryAfterSeconds = interval.roundedUpSeconds
      throw problem
    }
  }

  /// The owner, whose account is logged in by this, too. With the right PIN an alarm changes
  /// nothing: the page is where it is switched off.
  /// - Returns: the account; nil for the first, whose owner has the whole core.
  private static func logIn(
    _ email: String, _ pin: String, _ call: Call
  ) async throws -> AccountNumber? {
    let account = try call.requireOwner(email)
    do {
      _ = try await call.of(account).change(.logIn, pin: pin)
    } catch let problem as Problem
      where [UserCommand.Refusal.unchanged.code, UserCommand.Refusal.locked.code]
      .contains(problem.code)
    {}
    return account == .first ? nil : account
  }

  private static func end(_ call: Call) async throws -> Response {
    if let own = call.session { try await call.endSessions { $0 == own } }
    var response = Reply.empty()
    set("", seconds: 0, call, in: &response)
    return response
  }

  private static func set(
    _ value: String, seconds: Int, _ call: Call, in response: inout Response
  ) {
    let name = Authorizer.cookieName(of: call.request.head)
    response.headers[.setCookie] =
      "\(name)=\(value); HttpOnly; SameSite=Strict; Path=/; Max-Age=\(seconds)"
      + (call.api.isTLS ? "; Secure" : "")
  }
}

extension Call {
  /// - Returns: the account that has this mail address.
  /// - Throws: `Problem` where none has, or who asks has tried too many.
  @discardableResult
  func requireOwner(_ email: String) throws(Problem) -> AccountNumber {
    let first = api.core.account
    let isFirst =
      first.exists && !first.email.isEmpty && email.lowercased() == first.email.lowercased()
    let owner = isFirst ? .first : api.account(ofOwner: email)
    let (peer, now) = (peer, BootClock.now())
    let wait = api.emails.withLock { tries -> Interval? in
      if let wait = tries.wait(peer, at: now) { return wait }
      if owner == nil { tries.failed(peer, at: now) }
      return nil
    }
    if let wait {
      var problem = Problem(
        .tooManyRequests, "tooManyEmails", "too many mail addresses were tried; wait")
      problem.retryAfterSeconds = wait.roundedUpSeconds
      throw problem
    }
    guard let owner else { throw .unknownEmail }
    return owner
  }

  /// The same call as one of another account.
  func of(_ account: AccountNumber) throws(Problem) -> Call {
    guard let core = api.core(of: account) else { throw .accountGone }
    return Call(
      api: api, core: core, request: request, channel: channel, parameters: parameters,
      query: query, caller: caller, body: body, visited: account)
  }
}

extension Problem {
  static var unknownEmail: Problem {
    Problem(
      .notFound, "unknownEmail", "no account has this mail address; try another", field: "email")
  }
}

extension Call {
  /// The page's session that asks; nil: somebody else does.
  var session: String? {
    if case .session(let id) = caller?.credential { id } else { nil }
  }

  /// Ends those of the account's sessions that `isMeant` takes by their ids.
  /// - Throws: `Problem` where that could not be stored: a restart would let the browsers in again.
  func endSessions(where isMeant: @escaping @Sendable (String) -> Bool) async throws {
    let sessions = api.sessions
    let account = caller?.account
    let isStored = try await api.records.run(of: owner) {
      sessions.end(at: BootClock.now()) { $0.account == account?.rawValue && isMeant($0.id) }
    }
    guard isStored else { throw Problem.notDurable(core.status.state) }
  }
}
