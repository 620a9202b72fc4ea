import AlertCore
import FobBase
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Storage

/// The connection of a request: it knows the peer's address, and can be closed.
struct ConnectionContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

/// Finds a request's operation and answers it. Every failure becomes a `Problem`.
struct Responder: HTTPResponder {
  typealias Context = ConnectionContext

  let api: API

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    // A path that a client invents must not become a metric's label.
    var (route, method) = ("none", "other")
    var response: Response
    do {
      try api.hosts.check(request, at: context.channel.localAddress)
      if let file = PageFiles.standard.files[request.uri.path] {
        route = "page"
        response = try file.answer(to: request)
        method = request.method.rawValue
      } else {
        let (operation, parameters) = try find(request)
        (route, method) = (operation.path, operation.method.rawValue)
        response = try await answer(request, operation, parameters, context)
      }
    } catch {
      response = problem(error, context.logger).response
    }
    // Problems have no body for HEAD, either.
    if request.method == .head { response = response.createHeadResponse() }
    api.metrics.request(route, method: method, status: response.status.code)
    return response
  }

  private func find(_ request: Request) throws(Problem) -> (Operation, [String: String]) {
    switch OperationTable.standard.match(request.method, request.uri.path) {
    case .found(let operation, let parameters): return (operation, parameters)
    case .none: throw .notFound
    case .otherMethods(let methods): throw .methodNotAllowed(methods)
    }
  }

  /// The cheapest checks come first: the body's size, the caller, then the query.
  private func answer(
    _ request: Request, _ operation: Operation, _ parameters: [String: String],
    _ context: Context
  ) async throws -> Response {
    try RequestContent.checkSize(of: request, to: operation)
    let caller = try api.authorizer.admit(request, to: operation)
    guard let core = api.core(of: caller?.account ?? .first) else { throw Problem.accountGone }
    try requireServed(caller, operation)
    let query = try Self.checked(operation, parameters, request)
    if operation.isRateLimited { try api.changes.count(for: caller) }
    return try await withTaskExecutorPreference(api.threads(of: operation, for: caller)) {
      let body = try await RequestContent.read(request, to: operation)
      // It may have come long after the head: the token may be revoked since.
      if let caller, !api.authorizer.stillKnows(caller) {
        throw caller.isPage ? Problem.sessionOver : Problem.unknownToken
      }
      try requireServed(caller, operation)
      return try await operation.handler(
        Call(
          api: api, core: core, request: request, channel: context.channel, parameters: parameters,
          query: query, caller: caller, body: body))
    }
  }

  private func requireServed(_ caller: Caller?, _ operation: Operation) throws(Problem) {
    guard let account = caller?.account, !operation.isOfAlarm else { return }
    if api.isSuspended(account) { throw .accountSuspended }
  }

  /// - Returns: the known parameters in query and headers, checked against their shapes.
  private static func checked(
    _ operation: Operation, _ parameters: [String: String], _ request: Request
  ) throws(Problem) -> [String: String] {
    var query: [String: String] = [:]
    for parameter in operation.parameters {
      let text: String? =
        switch parameter.place {
        case .path: parameters[parameter.name]
        case .query: request.uri.queryParameters.get(parameter.name)
        case .header: HTTPField.Name(parameter.name).flatMap { request.headers[$0] }
        }
      guard let text else { continue }
      do throws(JSONSchema.Mismatch) {
        try parameter.schema.check(value(text, parameter.schema), at: parameter.name)
      } catch {
        if parameter.place == .path { throw .notFound }
        throw Problem(.badRequest, "wrongQuery", error.reason, field: parameter.name)
      }
      if parameter.place != .path { query[parameter.name] = text }
    }
    return query
  }

  private static func value(_ text: String, _ schema: JSONSchema) -> JSONValue {
    guard case .integer = schema, let integer = Int64(text) else { return .string(text) }
    return .integer(integer)
  }

  private func problem(_ error: any Error, _ logger: Logger) -> Problem {
    switch error {
    case let problem as Problem: return problem
    case let refusal as UserCommand.Refusal: return Problem(refusal)
    case let failure as StorageFailure:
      return Problem(.serviceUnavailable, "storageFailure", failure.reason)
    case let refusal as TokenBook.Refusal:
      return Problem(.serviceUnavailable, "noTokens", refusal.description)
    default:
      logger.error("a request failed: \(error)")
      return Problem(
        .internalServerError, "defect", "this is a defect; the log of the core has more")
    }
  }
}

/// Reads the body of a request within its limit, and checks its shape.
enum RequestContent {
  /// Refuses a body by its announced length, before the caller is known.
  static func checkSize(of request: Request, to operation: Operation) throws(Problem) {
    if case .nothing = operation.form { return }
    guard let length = request.headers[.contentLength] else { return }
    guard let length = Int(length), length <= operation.most else {
      throw tooLarge(operation.most)
    }
  }

  static func read(_ request: Request, to operation: Operation) async throws -> Call.Body {
    let most = operation.most
    switch operation.form {
    case .nothing: return Call.Body()
    case .button:
      _ = try await bytes(of: request, most)
      return Call.Body()
    case .json(let schema, let isRequired):
      let bytes = try await bytes(of: request, most)
      let type = type(of: request)
      if bytes.isEmpty, !isRequired { return Call.Body(type: type) }
      guard type == "application/json" else { throw wrongType(["application/json"]) }
      return try checked(bytes, schema)
    case .text(let types, let schema):
      let bytes = try await bytes(of: request, most)
      let type = type(of: request)
      if type == "application/json" { return try checked(bytes, schema) }
      guard types.contains(type) else { throw wrongType(types + ["application/json"]) }
      return Call.Body(type: type, bytes: bytes)
    }
  }

  private static func bytes(of request: Request, _ most: Int) async throws -> Data {
    do {
      return Data(try await request.body.collect(upTo: most).readableBytesView)
    } catch is NIOTooManyBytesError {
      throw tooLarge(most)
    } catch {
      // The client left, or sends no valid HTTP: no fault of this server.
      throw Problem(.badRequest, "cutShort", "the body did not come whole")
    }
  }

  private static func tooLarge(_ most: Int) -> Problem {
    Problem(.contentTooLarge, "tooLarge", "a body has \(most) bytes at the most here")
  }

  private static func type(of request: Request) -> String {
    request.headers[.contentType].map { MediaType.name(of: $0) } ?? ""
  }

  private static func wrongType(_ types: [String]) -> Problem {
    Problem(
      .unsupportedMediaType, "wrongType",
      "write Content-Type: \(types.joined(separator: " or "))")
  }

  static func checked(_ bytes: Data, _ schema: JSONSchema) throws -> Call.Body {
    if let excess = bytes.withUnsafeBytes({ ConsoleLimits.json.excess(in: $0) }) {
      throw problem(excess, ConsoleLimits.json)
    }
    guard let json = try? JSONValue(bytes) else {
      throw Problem(.badRequest, "noJSON", "the body is no JSON")
    }
    // Which of the two counts is the decoder's whim (RFC 8259, 4), so neither does.
    guard json.members == bytes.withUnsafeBytes({ JSONBounds.members(in: $0) }) else {
      throw Problem(.unprocessableContent, "invalid", "an object has a key twice")
    }
    do throws(JSONSchema.Mismatch) {
      try schema.check(json)
    } catch {
      throw Problem(
        .unprocessableContent, "invalid", error.reason,
        field: error.field.isEmpty ? nil : error.field)
    }
    return Call.Body(type: "application/json", bytes: bytes, json: json)
  }

  private static func problem(_ excess: JSONBounds.Excess, _ bounds: JSONBounds) -> Problem {
    switch excess {
    case .depth:
      Problem(.badRequest, "tooDeep", "a body is nested \(bounds.depth) deep at the most")
    case .values:
      Problem(.contentTooLarge, "tooLarge", "a body has \(bounds.values) values at the most")
    case .word: Problem(.badRequest, "noJSON", "a number has \(bounds.word) bytes at the most")
    case .encoding: Problem(.badRequest, "noJSON", "the body is no JSON in UTF-8")
    }
  }
}
