import FobBase
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Reads what a request carries, within its limit, and holds it against its shape.
enum RequestContent {
  /// Before it is known who asks: what is announced to be too large is read by nobody.
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
      // The client left, or what it sends is no HTTP: no fault of this server.
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
