import AlertCore
import FobBase
import HTTPTypes
import Hummingbird
import SerialIO

/// The sender of a request, once it is known.
struct Caller: Sendable {
  enum Credential: Hashable, Sendable {
    /// Both by their ids.
    case token(String)
    case session(String)
  }

  /// Who it is in the log.
  let name: String
  let scope: Scope
  /// Nil: the whole core, and of what is one account's the first's.
  let account: AccountNumber?
  let credential: Credential

  /// Whose connections and streams are counted together.
  enum Holder: Hashable, Sendable {
    case account(AccountNumber)
    /// Whoever runs the core.
    case core
    /// By the id of its token, of scope `feed`.
    case bridge(String)
  }

  var holder: Holder {
    if let account { return .account(account) }
    if case .token(let id) = credential, scope == .feed { return .bridge(id) }
    return .core
  }

  var isPage: Bool { if case .session = credential { true } else { false } }
}

/// Lets a request through to an operation, or throws a problem that says why not.
struct Authorizer: Sendable {
  let tokens: TokenBook
  let sessions: Sessions
  let isTLS: Bool
  /// Tells the operator, once for each token.
  let notices: TokenNotices

  /// - Returns: the caller; nil for an operation that needs no token.
  func admit(_ request: Request, to operation: Operation) throws -> Caller? {
    guard let scope = operation.scope else { return nil }
    let caller = try caller(of: request.head)
    guard caller.scope.allows(scope) else { throw Problem.scopeNeeded(scope) }
    if operation.isOfCore, caller.account != nil { throw Problem.coreNeeded }
    if case .token(let id) = caller.credential, scope == .feed, caller.scope != .feed {
      notices.tell(
        id,
        "\(caller.name) feeds by a token of scope \(caller.scope.rawValue),"
          + " which also answers emergencies: give that bridge one of its own by"
          + " fob token create --scope feed, and revoke this one by fob token revoke \(id)")
    }
    guard caller.isPage else { return caller }
    // A page never feeds the core.
    if scope == .feed { throw Problem.scopeNeeded(scope) }
    if operation.method != .get { try checkOrigin(of: request) }
    return caller
  }

  /// Whose token or open session the request shows; nil: it shows none that is known.
  func holder(of request: HTTPRequest) -> Caller.Holder? { (try? caller(of: request))?.holder }

  /// A caller that was let in would be let in again. While tokens cannot be read, nobody is shut
  /// out.
  func stillKnows(_ caller: Caller) -> Bool {
    switch caller.credential {
    case .token(let id): (try? tokens.has(id: id)) ?? true
    case .session(let id): sessions.has(id, at: BootClock.now())
    }
  }

  private func caller(of request: HTTPRequest) throws -> Caller {
    if let authorization = request.headerFields[.authorization] {
      let parts = authorization.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "bearer",
        let token = try tokens.token(of: String(parts[1]))
      else {
        throw Problem.unknownToken
      }
      if let damage = tokens.damage { notices.tell("tokens.json", damage) }
      return Caller(
        name: token.name, scope: token.scope, account: try Self.account(token.account),
        credential: .token(token.id))
    }
    if let cookie = Self.cookie(of: request) {
      // A browser sends its cookies to every port of this host: the key, which only the page has,
      // is needed, too.
      guard let key = request.headerFields[.sessionKey],
        let session = sessions.session(cookie: cookie, key: key, at: BootClock.now())
      else {
        throw Problem.sessionOver
      }
      return Caller(
        name: "console", scope: .administer, account: try Self.account(session.account),
        credential: .session(session.id))
    }
    throw Problem(
      .unauthorized, "tokenNeeded", "send Authorization: Bearer with a token of fob token create")
  }

  /// An account that a file names; a number that no account can have lets nobody in.
  private static func account(_ number: Int?) throws(Problem) -> AccountNumber? {
    guard let number else { return nil }
    guard let account = AccountNumber(number) else { throw .accountGone }
    return account
  }

  /// Requires that a request with a cookie comes from this server's own page.
  private func checkOrigin(of request: Request) throws(Problem) {
    let type = request.headers[.contentType].map { MediaType.name(of: $0) }
    guard type == "application/json" else {
      throw Problem(
        .unsupportedMediaType, "jsonNeeded", "by cookie, write Content-Type: application/json")
    }
    let own = "\(isTLS ? "https" : "http")://\(request.head.authority?.lowercased() ?? "")"
    let isOwn =
      request.headers[.origin].map { $0.lowercased() == own }
      ?? (request.headers[.secFetchSite] == "same-origin")
    guard isOwn else {
      throw Problem(.forbidden, "foreignOrigin", "by cookie, only this server's own page may ask")
    }
  }

  /// Contains the address's port: otherwise cores on one host would overwrite each other's cookie.
  static func cookieName(of request: HTTPRequest) -> String {
    let authority = request.authority ?? ""
    let port =
      authority.drop { $0 != "]" }.isEmpty
      ? authority.drop { $0 != ":" } : authority.drop { $0 != "]" }.dropFirst()
    return port.count > 1 ? "fob-\(port.dropFirst())" : "fob"
  }

  static func cookie(of request: HTTPRequest) -> String? {
    let name = cookieName(of: request)
    for header in request.headerFields[values: .cookie] {
      for pair in header.split(separator: ";") {
        let parts = pair.drop { $0 == " " }.split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, parts[0] == name { return String(parts[1]) }
      }
    }
    return nil
  }
}

enum MediaType {
  /// The type without its parameters, in lower case.
  static func name(of header: String) -> String {
    header.prefix { $0 != ";" }.trimmingSuffix(while: \.isWhitespace).lowercased()
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while isBlank: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, isBlank(last) { rest.removeLast() }
    return rest
  }
}

extension HTTPField.Name {
  static let sessionKey = HTTPField.Name("Fob-Session-Key")!
  static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
  static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
