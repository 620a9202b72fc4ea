import AlertCore
import FobBase
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Storage

/// The connection of a request, for its peer's address and to close it.
struct ConnectionContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

/// From a request to its operation and back. Whatever goes wrong is a problem of one shape.
struct Responder: HTTPResponder {
  typealias Context = ConnectionContext

  let api: API

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    // What a client makes up is no label.
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
    // What is refused is refused without a body, too.
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

  /// First what costs least: how much is sent, who asks, then what for.
  private func answer(
    _ request: Request, _ operation: Operation, _ parameters: [String: String],
    _ context: Context
  ) async throws -> Response {
    try RequestContent.checkSize(of: request, to: operation)
    let caller = try api.authorizer.admit(request, to: operation)
    let query = try Self.checked(operation, parameters, request)
    return try await withTaskExecutorPreference(api.threads(of: operation, for: caller)) {
      let body = try await RequestContent.read(request, to: operation)
      return try await operation.handler(
        Call(
          api: api, request: request, channel: context.channel, parameters: parameters,
          query: query, caller: caller, body: body))
    }
  }

  /// - Returns: the query, of which each part that the operation knows has its shape.
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
