import AlertCore
import Foundation
import HTTPTypes
import Hummingbird

/// The answer to a request that was not carried out: RFC 9457, `application/problem+json`.
struct Problem: Error, Equatable {
  let status: HTTPResponse.Status
  /// Tells programs which problem it is.
  let code: String
  /// Words for people, with a hint if there is one.
  let detail: String
  /// The field of the body or the query that is wrong.
  var field: String?
  /// The scope that a token needs.
  var scope: Scope?
  /// The state after an effect that has happened and is not durable.
  var state: EmergencyState?
  /// The missing parts, by name.
  var missing: [String]?
  /// The answer that another window has saved, and the one that was not.
  var stored: ReviewAnswer?
  var yours: String?
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
    let stored: ReviewAnswer?
    let yours: String?
  }

  var response: Response {
    var response = Reply.json(
      Body(
        type: "urn:fob:problem:\(code)", title: status.reasonPhrase, status: status.code,
        detail: detail, code: code, field: field, scope: scope, state: state, missing: missing,
        stored: stored, yours: yours),
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

  static var coreNeeded: Problem {
    Problem(
      .forbidden, "coreNeeded",
      "this is about the whole core: it needs a token that names no account")
  }

  static var unknownToken: Problem {
    Problem(.unauthorized, "unknownToken", "no such token; fob token create makes one")
  }

  static var sessionOver: Problem {
    Problem(.unauthorized, "sessionOver", "the session is over; ask for a new code")
  }

  static var unknownAccount: Problem {
    Problem(.notFound, "unknownAccount", "no account has this number")
  }

  static var accountGone: Problem {
    Problem(.unauthorized, "accountGone", "the account of this token or session is not there")
  }

  static var accountSuspended: Problem {
    Problem(
      .forbidden, "accountSuspended",
      "this account is suspended: its alarm goes on, and nothing else is done; ask who runs the"
        + " core")
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
  /// The table of the core's refusals and their HTTP statuses.
  init(_ refusal: UserCommand.Refusal) {
    self.init(Self.status(of: refusal), refusal.code, refusal.description)
    switch refusal {
    case .invalid(let part, _): field = part
    case .missing(let parts): missing = parts
    case .unanswered(let steps): missing = steps.map { "\($0)" }
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
    case .unknownContact, .unknownDevice, .unknownSeries, .unknownCheckIn, .unknownReview,
      .unknownAffirmation:
      .notFound
    case .locked: .locked
    case .invalid, .tooMany, .startPast, .endPast, .movedPast, .noDescription: .unprocessableContent
    case .nothingOpen, .nobodyTold, .nothingEnded, .unownedDevice, .notProtecting, .unowned,
      .notUnowned, .noAccount, .accountExists, .notLoggedIn, .unchanged, .claimed, .missing,
      .tooEarly, .checkInClosed, .seriesRuns, .incomplete, .reviewExists, .changed, .unanswered,
      .exerciseRuns, .noExercise, .checkInOverdue:
      .conflict
    }
  }
}

extension HTTPResponse.Status {
  /// RFC 4918, 424: the mail system failed, or is not configured.
  static let failedDependency = HTTPResponse.Status(
    code: 424, reasonPhrase: "Failed Dependency")
  /// RFC 4918, 423: while an alarm is active nothing else is reachable (R36), and what would leave
  /// a press that is being read to nobody waits.
  static let locked = HTTPResponse.Status(code: 423, reasonPhrase: "Locked")
}

/// What a token allows. Observe, operate and administer include each other in this order; feed
/// stands apart.
public enum Scope: String, Codable, Sendable, CaseIterable {
  /// Reads everything except the feed.
  case observe
  /// Also answers emergencies: user commands, triggers, acknowledgements.
  case operate
  /// Also changes the account, its contacts and keychains, and ends incidents that belong to
  /// nobody.
  case administer
  /// Brings in the frames of keychains and gets their indications; nothing else.
  case feed

  /// True if a token of this scope may use an operation that needs `needed`.
  ///
  /// Bridges of earlier versions have a token of scope operate. They may feed, since an upgrade
  /// that refused them would withhold their presses from everybody.
  public func allows(_ needed: Scope) -> Bool {
    switch (self, needed) {
    case (.feed, _): needed == .feed
    case (_, .feed): self != .observe
    default: rank >= needed.rank
    }
  }

  private var rank: Int { Self.allCases.firstIndex(of: self)! }
}
