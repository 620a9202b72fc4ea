import HTTPTypes
import Hummingbird

/// One thing that the API does. The table of them is the router, the guard and the document.
struct Operation: Sendable {
  struct Parameter: Sendable {
    enum Place: String, Sendable { case path, query, header }

    let name: String
    let place: Place
    let schema: JSONSchema
    let summary: String
  }

  /// What a request carries.
  enum Form: Sendable {
    case nothing
    case json(JSONSchema, isRequired: Bool)
    /// Text of one of these types, or JSON.
    case text([String], JSONSchema)
    /// A form without fields, as a button of a page sends it.
    case button
  }

  /// What it answers with when it is done.
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
  /// With its parameters in braces.
  let path: String
  /// Nil: for everybody.
  let scope: Scope?
  let summary: String
  var parameters: [Parameter] = []
  var form = Form.nothing
  /// Bytes of a body, of whose excess one is told before anything else is looked at.
  var most = ConsoleLimits.request
  /// Presses, and what people do about an alarm: on threads that do nothing else.
  var isUrgent = false
  let success: [Success]
  /// Beside those that every operation of its kind has.
  var problems: Set<Int> = []
  let handler: @Sendable (Call) async throws -> Response

  /// As in "GET /v1/status".
  var name: String { "\(method.rawValue) \(path)" }

  /// Every status that it may answer with a problem.
  var allProblems: Set<Int> {
    // 500 is not among them: it would be a defect.
    var all = problems.union([400, 421, 503])
    if scope != nil { all.formUnion([401, 403]) }
    if parameters.contains(where: { $0.place == .path }) { all.insert(404) }
    switch form {
    case .nothing: break
    case .button: all.insert(413)
    case .json, .text: all.formUnion([413, 415, 422])
    }
    if scope != nil, method != .get { all.insert(415) }
    return all
  }

  /// Of user commands and changes: what the core may refuse.
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
