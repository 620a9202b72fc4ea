import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// One file of the page, as it goes out.
struct PageFile: Sendable {
  private let bytes: ByteBuffer
  private let headers: HTTPFields
  /// Of these bytes and no others (RFC 9110, 8.8.3).
  private let tag: String

  init(path: String, bytes: ByteBuffer) {
    self.bytes = bytes
    let digest = SHA256.hash(data: Data(bytes.readableBytesView)).prefix(16)
    tag = "\"\(Secret.base64URL(digest))\""
    var headers = Self.rules
    headers[.contentType] = Self.type(of: path)
    headers[.eTag] = tag
    self.headers = headers
  }

  /// - Throws: `Problem` where it is to be written to.
  func answer(to request: Request) throws(Problem) -> Response {
    guard request.method == .get || request.method == .head else {
      throw .methodNotAllowed(["GET", "HEAD"])
    }
    let isKnown = request.headers[values: .ifNoneMatch].contains { names(in: $0) }
    if isKnown { return Response(status: .notModified, headers: headers) }
    return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: bytes))
  }

  /// By weak comparison (RFC 9110, 13.1.2).
  private func names(in header: String) -> Bool {
    header.split(separator: ",").contains { item in
      let item = item.drop { $0 == " " }.prefix { $0 != " " }
      return item == "*" || (item.hasPrefix("W/") ? item.dropFirst(2) : item) == tag
    }
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
  ]

  static func type(of path: String) -> String {
    guard let type = path.split(separator: ".").last.flatMap({ types[String($0)] }) else {
      preconditionFailure("the page has no file of another kind: \(path)")
    }
    return type
  }

  /// The page loads nothing from elsewhere, runs no script that is not a file of it, stands in no
  /// other's frame, and shares no process with another; what is asked of it is asked each time,
  /// since what is right now is a question of this build.
  private static let rules: HTTPFields = [
    .contentSecurityPolicy: """
    default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'
    """,
    .xContentTypeOptions: "nosniff",
    .referrerPolicy: "no-referrer",
    .crossOriginOpenerPolicy: "same-origin",
    .crossOriginResourcePolicy: "same-origin",
    .permissionsPolicy: """
    screen-wake-lock=(self), camera=(), display-capture=(), geolocation=(), microphone=(), \
    midi=(), payment=(), serial=(), usb=(), hid=()
    """,
    .cacheControl: "no-cache",
  ]
}

extension HTTPField.Name {
  static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
  fileprivate static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
  fileprivate static let permissionsPolicy = HTTPField.Name("Permissions-Policy")!
}
