import Foundation
import HTTPTypes
import Hummingbird

/// Makes complete responses.
enum Reply {
  static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) -> Response {
    json(bytes: bytes(of: value), status: status)
  }

  /// One line: the encoder writes no newline.
  static func bytes(of value: some Encodable) -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard let bytes = try? encoder.encode(value) else {
      preconditionFailure("every answer and event has a JSON form")
    }
    return bytes
  }

  static func json(bytes: some Sequence<UInt8>, status: HTTPResponse.Status = .ok) -> Response {
    data(bytes, "application/json", status: status)
  }

  static func text(
    _ text: String, _ type: String = "text/plain; charset=utf-8",
    status: HTTPResponse.Status = .ok
  ) -> Response {
    data(text.utf8, type, status: status)
  }

  /// As they are.
  static func bytes(_ bytes: [UInt8], _ type: String) -> Response {
    data(bytes, type, status: .ok)
  }

  /// A download with this file name.
  static func file(_ bytes: [UInt8], _ type: String, name: String) -> Response {
    var response = data(bytes, type, status: .ok)
    response.headers[.contentDisposition] = "attachment; filename=\"\(name)\""
    return response
  }

  static func empty(_ status: HTTPResponse.Status = .noContent) -> Response {
    Response(status: status, headers: [.cacheControl: "no-store"])
  }

  private static func data(
    _ bytes: some Sequence<UInt8>, _ type: String, status: HTTPResponse.Status
  ) -> Response {
    Response(
      status: status,
      headers: [
        .contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
