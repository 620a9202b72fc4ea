import AlertCore
import Foundation
import HTTPTypes
import Hummingbird

/// What a request is answered with that is not done: RFC 9457, `application/problem+json`.
struct Problem: Error, Equatable {
  let status: HTTPResponse.Status
  /// As programs tell problems apart.
  let code: String
  /// In words, with a hint where there is one.
  let detail: String
  /// Of the body or the query, what it is about.
  var field: String?
  /// The scope that a token needs.
  var scope: Scope?
  /// Where the effect has happened, and is not durable.
  var state: EmergencyState?
  /// What is lacking, by name.
  var missing: [String]?
  var retryAfterSeconds: Int?
  var allow: String?

  init(_ status: HTTPResponse.Status, _ code: String, _ detail: String, field: String? = nil) {
    self.status = status
    self.code = code
    self.detail = detail
    self.field = field
  }

  private struct Body: Encodable {
    let type: String
    let title: String
    let status: Int
    let detail: String
    let code: String
    let field: String?
    let scope: Scope?
    let state: EmergencyState?
    let missing: [String]?
  }

  var response: Response {
    var response = Reply.json(
      Body(
        type: "urn:fob:problem:\(code)", title: status.reasonPhrase, status: status.code,
        detail: detail, code: code, field: field, scope: scope, state: state, missing: missing),
      status: status)
    response.headers[.contentType] = "application/problem+json"
    if let retryAfterSeconds { response.headers[.retryAfter] = "\(retryAfterSeconds)" }
    if let allow { response.headers[.allow] = allow }
    if status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer realm=\"fob\"" }
    return response
  }

  static func scopeNeeded(_ scope: Scope) -> Problem {
    var problem = Problem(
      .forbidden, "scopeNeeded",
      "this needs a token of scope \(scope.rawValue)\(scope == .feed ? "" : " or wider")")
    problem.scope = scope
    return problem
  }

  static func busy(_ what: String) -> Problem {
    var problem = Problem(.serviceUnavailable, "busy", "too many \(what) wait; try again")
    problem.retryAfterSeconds = 1
    return problem
  }

  static func notDurable(_ state: EmergencyState) -> Problem {
    var problem = Problem(
      .serviceUnavailable, "notDurable",
      "done, but the store fails: after a restart it may be undone; see the status")
    problem.state = state
    return problem
  }

  static func methodNotAllowed(_ methods: [String]) -> Problem {
    let allow = methods.joined(separator: ", ")
    var problem = Problem(.methodNotAllowed, "methodNotAllowed", "only \(allow) here")
    problem.allow = allow
    return problem
  }

  static var notFound: Problem { Problem(.notFound, "notFound", "there is nothing here") }
}

extension Problem {
  /// One table of what the core refuses, and how HTTP says it.
  init(_ refusal: UserCommand.Refusal) {
    self.init(Self.status(of: refusal), refusal.code, refusal.description)
    switch refusal {
    case .invalid(let part, _): field = part
    case .missing(let parts): missing = parts
    case .pinBlocked: retryAfterSeconds = 30
    case .tooOften: retryAfterSeconds = 1_200
    default: break
    }
  }

  private static func status(of refusal: UserCommand.Refusal) -> HTTPResponse.Status {
    switch refusal {
    case .pinNeeded, .wrongPIN: .forbidden
    case .pinBlocked, .tooOften: .tooManyRequests
    case .notSent: .failedDependency
    case .unknownContact, .unknownDevice: .notFound
    case .locked: .locked
    case .invalid, .tooMany: .unprocessableContent
    case .nothingOpen, .nobodyTold, .nothingEnded, .unownedDevice, .notProtecting, .unowned,
      .notUnowned,
      .noAccount,
      .accountExists, .notLoggedIn, .unchanged, .claimed, .missing:
      .conflict
    }
  }
}

extension HTTPResponse.Status {
  /// RFC 4918: the mail system, or what is configured of it.
  static let failedDependency = HTTPResponse.Status(
    code: 424, reasonPhrase: "Failed Dependency")
  /// RFC 4918: while an alarm is active nothing else is reachable (R36).
  static let locked = HTTPResponse.Status(code: 423, reasonPhrase: "Locked")
}

/// What a token allows: three that grow from each other, and a bridge's beside them.
public enum Scope: String, Codable, Sendable, CaseIterable {
  /// To read.
  case observe
  /// And to answer an emergency: the user commands, triggers, acknowledgements.
  case operate
  /// And to change the account, its contacts and keychains, tokens and state.
  case administer
  /// To bring in what keychains say and to hear what they are to show; nothing else.
  case feed

  /// Whether a token of this scope may do what needs that one.
  ///
  /// Bridges of earlier versions have a token of scope operate: they go on feeding, since an
  /// upgrade that refused them would keep their presses from everybody.
  public func allows(_ needed: Scope) -> Bool {
    switch (self, needed) {
    case (.feed, _): needed == .feed
    case (_, .feed): self != .observe
    default: rank >= needed.rank
    }
  }

  private var rank: Int { Self.allCases.firstIndex(of: self)! }
}
