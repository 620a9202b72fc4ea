import FobBase
import HTTPTypes
import Hummingbird
import SerialIO

/// Who asks.
struct Caller: Sendable {
  /// For the log.
  let name: String
  let scope: Scope
  /// Of the page, where the caller came by one.
  let session: String?
}

/// Lets a request through to an operation, or says why not.
struct Gatekeeper: Sendable {
  let tokens: TokenBook
  let sessions: Sessions
  let hosts: HostRule
  let isTLS: Bool

  func checkHost(_ request: Request) throws(Problem) {
    guard let authority = request.head.authority, !authority.isEmpty else {
      throw Problem(.badRequest, "noHost", "the request names no host")
    }
    guard hosts.allows(authority) else {
      throw Problem(
        .misdirectedRequest, "unknownHost",
        "this server does not answer to that name; add it to its hosts")
    }
  }

  /// - Returns: nil for an operation that needs no token.
  func admit(_ request: Request, to operation: Operation) throws -> Caller? {
    guard let scope = operation.scope else { return nil }
    let caller = try caller(of: request)
    guard caller.scope >= scope else { throw Problem.scopeNeeded(scope) }
    if caller.session != nil, operation.method != .get { try checkOrigin(of: request) }
    return caller
  }

  private func caller(of request: Request) throws -> Caller {
    if let authorization = request.headers[.authorization] {
      let parts = authorization.split(separator: " ", maxSplits: 1)
      guard parts.count == 2, parts[0].lowercased() == "bearer",
        let token = try tokens.token(of: String(parts[1]))
      else {
        throw Problem(.unauthorized, "unknownToken", "no such token; fob token create makes one")
      }
      return Caller(name: token.name, scope: token.scope, session: nil)
    }
    if let session = Self.cookie(of: request) {
      guard sessions.isOpen(session, at: BootClock.now()) else {
        throw Problem(.unauthorized, "sessionOver", "the session is over; ask for a new code")
      }
      return Caller(name: "console", scope: .administer, session: session)
    }
    throw Problem(
      .unauthorized, "tokenNeeded", "send Authorization: Bearer with a token of fob token create")
  }

  /// What a browser sends by itself must come from the page of this very server.
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

  static func cookie(of request: Request) -> String? {
    for header in request.headers[values: .cookie] {
      for pair in header.split(separator: ";") {
        let parts = pair.drop { $0 == " " }.split(
          separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2, parts[0] == "fob" { return String(parts[1]) }
      }
    }
    return nil
  }
}

enum MediaType {
  /// Without its parameters, in lower case.
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
  static let secFetchSite = HTTPField.Name("Sec-Fetch-Site")!
  static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
