import CPage
import CZlib
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import SystemCrypto

/// One file of the page, ready to be sent.
struct PageFile: Sendable {
  /// The file as it is, or compressed; each form has its own tag.
  private struct Form {
    let bytes: ByteBuffer
    /// The entity tag of exactly these bytes (RFC 9110, 8.8.3).
    let tag: String
    let headers: HTTPFields

    init(_ bytes: ByteBuffer, tag: String, encoding: String?, _ type: String) {
      self.bytes = bytes
      self.tag = tag
      var headers = PageFile.rules
      headers[.contentType] = type
      headers[.contentEncoding] = encoding
      headers[.eTag] = tag
      self.headers = headers
    }
  }

  private let plain: Form
  private let small: Form

  init(path: String, bytes: ByteBuffer) {
    let digest = Digests.sha256(Array(bytes.readableBytesView)).prefix(16)
    let name = Secret.base64URL(digest)
    let type = Self.type(of: path)
    plain = Form(bytes, tag: "\"\(name)\"", encoding: nil, type)
    small = Form(Gzip.compressed(bytes), tag: "\"\(name)-gzip\"", encoding: "gzip", type)
  }

  /// How many bytes a browser loads.
  var weight: Int { small.bytes.readableBytes }

  /// - Throws: `Problem` for any method but GET and HEAD.
  func answer(to request: Request) throws(Problem) -> Response {
    guard request.method == .get || request.method == .head else {
      throw .methodNotAllowed(["GET", "HEAD"])
    }
    let form =
      request.headers[values: .acceptEncoding].contains(where: Self.takesGzip)
      ? small : plain
    let isKnown = request.headers[values: .ifNoneMatch].contains { Self.has(form.tag, $0) }
    if isKnown { return Response(status: .notModified, headers: form.headers) }
    return Response(status: .ok, headers: form.headers, body: ResponseBody(byteBuffer: form.bytes))
  }

  /// Weak comparison (RFC 9110, 13.1.2).
  private static func has(_ tag: String, _ header: String) -> Bool {
    header.split(separator: ",").contains { item in
      let item = item.drop { $0 == " " }.prefix { $0 != " " }
      return item == "*" || (item.hasPrefix("W/") ? item.dropFirst(2) : item) == tag
    }
  }

  /// Reads Accept-Encoding as browsers send it (RFC 9110, 12.5.3): a weight of 0 refuses gzip.
  private static func takesGzip(_ header: String) -> Bool {
    header.split(separator: ",").contains { item in
      let parts = item.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
      guard parts.first == "gzip" else { return false }
      return parts.dropFirst().allSatisfy { !$0.hasPrefix("q=") || Double($0.dropFirst(2)) != 0 }
    }
  }

  private static let types = [
    "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml",
    "txt": "text/plain; charset=utf-8",
  ]

  static func type(of path: String) -> String {
    guard let type = path.split(separator: ".").last.flatMap({ types[String($0)] }) else {
      preconditionFailure("the page has no file of another kind: \(path)")
    }
    return type
  }

  /// The page loads nothing from elsewhere, runs only its own script files, appears in no other
  /// page's frame, and shares no process with another page. Browsers ask each time whether a file
  /// has changed, since another build has other files.
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
    .vary: "Accept-Encoding",
  ]
}

extension HTTPField.Name {
  static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
  fileprivate static let crossOriginOpenerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!
  fileprivate static let permissionsPolicy = HTTPField.Name("Permissions-Policy")!
}

/// Compression by RFC 1952, with zlib at its smallest.
enum Gzip {
  static func compressed(_ bytes: ByteBuffer) -> ByteBuffer {
    var stream = z_stream()
    let withHeader: Int32 = 15 + 16
    guard
      deflateInit2_(
        &stream, Z_BEST_COMPRESSION, Z_DEFLATED, withHeader, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { preconditionFailure("zlib is of another version, or there is no memory") }
    defer { deflateEnd(&stream) }
    var input = Array(bytes.readableBytesView)
    var output = [UInt8](repeating: 0, count: Int(deflateBound(&stream, UInt(input.count))))
    input.withUnsafeMutableBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        stream.next_in = input.baseAddress
        stream.avail_in = UInt32(input.count)
        stream.next_out = output.baseAddress
        stream.avail_out = UInt32(output.count)
        let end = deflate(&stream, Z_FINISH)
        precondition(end == Z_STREAM_END, "deflateBound leaves room for all of it")
      }
    }
    return ByteBuffer(bytes: output.prefix(Int(stream.total_out)))
  }
}

/// The page: two documents and the files that they load, each at one address. No file is looked up
/// on a disk, so no address leads out of it. It is neither part of the API nor of its document.
struct PageFiles: Sendable {
  static let standard = PageFiles()

  /// By the path of the address.
  let files: [String: PageFile]

  private init() {
    var files: [String: PageFile] = [:]
    for index in 0..<cpage_file_count() {
      let file = cpage_file_at(index)
      let path = String(cString: file.path)
      let bytes = UnsafeBufferPointer(start: file.bytes, count: file.count)
      files[Self.address(of: path)] = PageFile(
        path: path,
        bytes: ByteBuffer(
          bytes: path.hasSuffix(".js") ? Self.withoutComments(bytes) : Array(bytes)))
    }
    self.files = files
  }

  /// A script without the lines that are nothing but a comment, which only its authors read: a
  /// sixth of what a phone would load. No line of a text in a script begins as a comment does.
  static func withoutComments(_ script: some Sequence<UInt8>) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    var kept: [UInt8] = []
    var isInside = false
    for line in Array(script).split(separator: newline) {
      let text = line.drop { $0 == UInt8(ascii: " ") }
      if text.starts(with: "/*".utf8) { isInside = true }
      if !isInside, !text.isEmpty, !text.starts(with: "//".utf8) { kept += line + [newline] }
      if isInside, text.suffix(2).elementsEqual("*/".utf8) { isInside = false }
    }
    return kept
  }

  private static func address(of path: String) -> String {
    switch path {
    case "index.html": "/"
    case "bench.html": "/bench"
    default: "/page/\(path)"
    }
  }
}
