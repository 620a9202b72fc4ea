import HTTPTypes
import Hummingbird

/// One operation of the API. The table of operations makes the router, the authorizer's rules and
/// the document.
struct Operation: Sendable {
  struct Parameter: Sendable {
    enum Place: String, Sendable { case path, query, header }

    let name: String
    let place: Place
    let schema: JSONSchema
    let summary: String
  }

  /// The body of a request.
  enum Form: Sendable {
    case nothing
    case json(JSONSchema, isRequired: Bool)
    /// Text of one of these types, or JSON.
    case text([String], JSONSchema)
    /// A form without fields, as a button of a page sends it.
    case button
  }

  /// An answer without a problem.
  struct Success: Sendable {
    enum Content: Sendable {
      case nothing
      case json(JSONSchema)
      case other(String)
    }

    let status: HTTPResponse.Status
    let summary: String
    let content: Content
  }

  let method: HTTPRequest.Method
  /// With parameters in braces.
  let path: String
  /// The scope that it needs; nil: none, everybody may ask.
  let scope: Scope?
  let summary: String
  var parameters: [Parameter] = []
  var form = Form.nothing
  /// The longest body, in bytes; a longer one is refused before anything else is checked.
  var most = ConsoleLimits.request
  /// Presses and commands in an emergency: they have their own threads.
  var isUrgent = false
  let success: [Success]
  /// Statuses of problems, beside those that every operation of its kind has.
  var problems: Set<Int> = []
  let handler: @Sendable (Call) async throws -> Response

  /// It is about the whole core: no token or session of an account may use it.
  var isOfCore: Bool {
    scope == .feed || ["/v1/accounts", "/v1/bench", "/metrics"].contains { path.hasPrefix($0) }
  }

  /// Who is in need may use it whatever else is refused to them.
  var isOfAlarm: Bool { isUrgent || path == "/v1/status" }

  /// What it writes is kept, so an account has a rate limit for these. What people do about an
  /// alarm has none, but for what they say of it, and neither has what is about the whole core.
  var isRateLimited: Bool {
    guard scope != nil, method != .get, !isOfCore else { return false }
    return path.hasSuffix("/survey") || !isOfAlarm && !Self.keepingNothing.contains(path)
  }

  private static let keepingNothing: Set = [
    "/v1/session", "/v1/status/refresh", "/v1/account/pin/check", "/v1/check-ins/preview",
    "/v1/contacts/import/preview",
  ]

  /// As in "GET /v1/status".
  var name: String { "\(method.rawValue) \(path)" }

  /// Every status of a problem that it may answer.
  var allProblems: Set<Int> {
    // 500 is not among them, since it is a defect.
    var all = problems.union([400, 421, 503])
    if scope != nil { all.formUnion([401, 403]) }
    if parameters.contains(where: { $0.place == .path }) { all.insert(404) }
    switch form {
    case .nothing: break
    case .button: all.insert(413)
    case .json, .text: all.formUnion([413, 415, 422])
    }
    if scope != nil, method != .get { all.insert(415) }
    if isRateLimited { all.insert(429) }
    return all
  }

  /// The core's refusals of user commands and changes.
  static let refusals: Set<Int> = [403, 404, 409, 422, 423, 429]
}

extension Operation.Parameter {
  static func path(_ name: String, _ schema: JSONSchema, _ summary: String) -> Self {
    Self(name: name, place: .path, schema: schema, summary: summary)
  }

  static func query(_ name: String, _ schema: JSONSchema, _ summary: String) -> Self {
    Self(name: name, place: .query, schema: schema, summary: summary)
  }
}

extension Operation.Success {
  static func json(
    _ schema: JSONSchema, _ summary: String, status: HTTPResponse.Status = .ok
  ) -> Self {
    Self(status: status, summary: summary, content: .json(schema))
  }

  static func nothing(_ summary: String) -> Self {
    Self(status: .noContent, summary: summary, content: .nothing)
  }

  static func other(_ type: String, _ summary: String) -> Self {
    Self(status: .ok, summary: summary, content: .other(type))
  }
}
