import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads what a request carries, within its limit, and holds it against its shape.
enum RequestContent {
  static func read(_ request: Request, as form: Operation.Form) async throws -> Call.Body {
    switch form {
    case .nothing: return Call.Body()
    case .button:
      _ = try await bytes(of: request)
      return Call.Body()
    case .json(let schema, let isRequired):
      let bytes = try await bytes(of: request)
      let type = type(of: request)
      if bytes.isEmpty, !isRequired { return Call.Body(type: type) }
      guard type == "application/json" else { throw wrongType(["application/json"]) }
      return try checked(bytes, schema)
    case .text(let types, let schema):
      let bytes = try await bytes(of: request)
      let type = type(of: request)
      if type == "application/json" { return try checked(bytes, schema) }
      guard types.contains(type) else { throw wrongType(types + ["application/json"]) }
      return Call.Body(type: type, bytes: bytes)
    }
  }

  private static func bytes(of request: Request) async throws -> Data {
    let tooLarge = Problem(
      .contentTooLarge, "tooLarge", "a body has \(ConsoleLimits.body) bytes at the most")
    if let length = request.headers[.contentLength].flatMap({ Int($0) }),
      length > ConsoleLimits.body
    {
      throw tooLarge
    }
    do {
      return Data(try await request.body.collect(upTo: ConsoleLimits.body).readableBytesView)
    } catch is NIOTooManyBytesError {
      throw tooLarge
    }
  }

  private static func type(of request: Request) -> String {
    request.headers[.contentType].map { MediaType.name(of: $0) } ?? ""
  }

  private static func wrongType(_ types: [String]) -> Problem {
    Problem(
      .unsupportedMediaType, "wrongType",
      "write Content-Type: \(types.joined(separator: " or "))")
  }

  private static func checked(_ bytes: Data, _ schema: JSONSchema) throws -> Call.Body {
    guard let json = try? JSONValue(bytes) else {
      throw Problem(.badRequest, "noJSON", "the body is no JSON")
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
}
