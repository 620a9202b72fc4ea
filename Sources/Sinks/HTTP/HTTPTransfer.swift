import CCurl
package import FobBase
import Glibc
import SerialIO

/// The request of one HTTP exchange, and the limits for its answer.
package struct HTTPRequest: Sendable {
  /// Whose certificate is accepted where the address is https.
  package enum Trust: Sendable {
    /// The system's certificate authorities.
    case system
    /// These certificates in PEM, and no others.
    case certificates([UInt8])
    /// Any certificate: for a server that asks itself.
    case anyone
  }

  /// An http or https address, path and query included.
  package var url: String
  /// Sent in this order; a control character in a value fails with `.address`.
  package var headers: [(name: String, value: String)] = []
  /// The body of a POST; nil: the request is a GET.
  package var body: [UInt8]?
  /// Used for https only.
  package var trust = Trust.system
  /// From looking up the name to the end of the TLS handshake.
  package var connectWithin = Interval.seconds(5)
  /// From looking up the name to the last byte of the answer; nil: no limit.
  package var answerWithin: Interval? = .seconds(10)
  /// The longest body of an answer, in bytes.
  package var maxAnswerSize = 64 * 1_024
  /// Gets the body of a 200 piece by piece; it is then not kept. A throw ends the exchange. An
  /// answer with a higher status ends at its head.
  var read: (@Sendable ([UInt8]) throws(HTTPTrouble) -> Void)?

  /// A GET with the standard limits.
  package init(_ url: String) { self.url = url }
}

/// Why an exchange has no answer.
package enum HTTPTrouble: Error, Equatable {
  /// The address or a header is invalid.
  case address
  case noName
  case nobodyListens
  case connectsLate
  case answersLate
  /// The other end closed the connection before or within the answer.
  case closes
  case tooLong
  case noHTTP
  case noTrust
  /// It was cancelled on this side.
  case cancelled
  /// Any other failure, by libcurl's number.
  case other(UInt32)

  /// - Parameter isConnected: the exchange had a connection, which tells late connections from late
  ///   answers.
  fileprivate init(_ code: CURLcode, isConnected: Bool, errno: Int) {
    switch code {
    case CURLE_URL_MALFORMAT: self = .address
    case CURLE_COULDNT_RESOLVE_HOST: self = .noName
    case CURLE_COULDNT_CONNECT: self = .nobodyListens
    case CURLE_OPERATION_TIMEDOUT: self = isConnected ? .answersLate : .connectsLate
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR: self = .closes
    // Without a socket error the received data is wrong, such as the size of a chunk.
    case CURLE_RECV_ERROR: self = errno == 0 ? .noHTTP : .closes
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2: self = .noHTTP
    case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
      CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR:
      self = .noTrust
    default: self = .other(code.rawValue)
    }
  }
}

/// One exchange over HTTP by libcurl. It belongs to one thread at a time.
///
/// It speaks HTTP/1.1 only and follows no redirect, since a body goes to the configured receiver
/// alone. It uses no proxy, cookie or password of the environment, and TLS 1.2 or later. Head and
/// body of the answer are bounded.
package final class HTTPTransfer {
  /// An answer of any status.
  package struct Answer: Equatable, Sendable {
    /// The HTTP status, as in 200.
    package let status: Int
    /// The body; empty if `read` took it.
    package let body: [UInt8]
  }

  /// The limit for all heads and trailers of one answer, in bytes.
  private static let maxHeadSize = 64 * 1_024
  /// Initializes libcurl once in a process; other threads wait for it.
  private static let isReady: Bool = {
    // It would have TLS write its keys into a file.
    unsetenv("SSLKEYLOGFILE")
    return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
  }()

  let easy: UnsafeMutableRawPointer
  private let request: HTTPRequest
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var head = 0
  private var body: [UInt8] = []
  /// Why this side ended the exchange; libcurl's own code says less.
  private var trouble: HTTPTrouble?
  /// When the last byte came.
  private(set) var heardAt = BootClock.now()

  /// Sets up the exchange without connecting; throws if a header is invalid. An invalid address
  /// shows in `perform`.
  package init(_ request: HTTPRequest) throws(HTTPTrouble) {
    guard Self.isReady, let easy = curl_easy_init() else {
      throw .other(CURLE_FAILED_INIT.rawValue)
    }
    self.easy = easy
    self.request = request
    try setRules()
    try setRequest()
    try setTrust()
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headers)
  }

  /// Runs the exchange, and waits for its end on the caller's thread.
  package func perform() throws(HTTPTrouble) -> Answer { try answer(curl_easy_perform(easy)) }

  /// - Parameter code: libcurl's result at the end.
  func answer(_ code: CURLcode) throws(HTTPTrouble) -> Answer {
    let status = ccurl_long(easy, CURLINFO_RESPONSE_CODE)
    let isOver = trouble == nil && isRefused
    guard code == CURLE_OK || isOver else {
      let errno = ccurl_long(easy, CURLINFO_OS_ERRNO)
      let isConnected = ccurl_size(easy, CURLINFO_PRETRANSFER_TIME_T) > 0
      throw trouble ?? HTTPTrouble(code, isConnected: isConnected, errno: errno)
    }
    return Answer(status: status, body: body)
  }

  private var isRefused: Bool {
    let status = ccurl_long(easy, CURLINFO_RESPONSE_CODE)
    return request.read != nil && status > 200
  }

  // MARK: What is asked

  private func setRules() throws(HTTPTrouble) {
    try set(CURLOPT_PROTOCOLS_STR, "http,https")
    try set(CURLOPT_PROXY, "")
    try set(CURLOPT_NOSIGNAL, 1)
    // A pending name look-up delays nobody: its thread ends on its own.
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    try set(CURLOPT_CONNECTTIMEOUT_MS, request.connectWithin.microseconds / 1_000)
    // To libcurl 0 is no limit.
    let limit = request.answerWithin.map { max(1, $0.microseconds / 1_000) }
    try set(CURLOPT_TIMEOUT_MS, Int(limit ?? 0))
    let context = Unmanaged.passUnretained(self).toOpaque()
    try check(ccurl_set_pointer(easy, CURLOPT_HEADERDATA, context))
    try check(ccurl_set_pointer(easy, CURLOPT_WRITEDATA, context))
    try check(
      ccurl_set_taker(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
        HTTPTransfer.of(context).takeHead(UnsafeRawBufferPointer(start: bytes, count: size * count))
      })
    try check(
      ccurl_set_taker(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
        HTTPTransfer.of(context).takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
      })
  }

  private func setRequest() throws(HTTPTrouble) {
    try set(CURLOPT_URL, request.url)
    try set(CURLOPT_PATH_AS_IS, 1)
    if let body = request.body {
      try check(ccurl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
      try check(
        body.withUnsafeBytes { ccurl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, $0.baseAddress) })
    }
    // libcurl would add these headers itself.
    for name in ["Accept", "Expect", "User-Agent"]
    where !request.headers.contains(where: { $0.name.lowercased() == name.lowercased() }) {
      try add("\(name):")
    }
    for (name, value) in request.headers {
      // A control character could end the header's line.
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .address }
      try add(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    try check(ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, headers))
  }

  private func setTrust() throws(HTTPTrouble) {
    switch request.trust {
    case .system: break
    case .certificates(let pem):
      // Otherwise the system's folder of authorities would be trusted, too.
      try check(ccurl_set_text(easy, CURLOPT_CAPATH, nil))
      try check(
        pem.withUnsafeBytes { ccurl_set_blob(easy, CURLOPT_CAINFO_BLOB, $0.baseAddress, $0.count) })
    case .anyone:
      try set(CURLOPT_SSL_VERIFYPEER, 0)
      try set(CURLOPT_SSL_VERIFYHOST, 0)
    }
  }

  private func add(_ header: String) throws(HTTPTrouble) {
    guard let longer = curl_slist_append(headers, header) else {
      throw .other(CURLE_OUT_OF_MEMORY.rawValue)
    }
    headers = longer
  }

  private func set(_ option: CURLoption, _ value: Int) throws(HTTPTrouble) {
    try check(ccurl_set_long(easy, option, value))
  }

  private func set(_ option: CURLoption, _ value: Int64) throws(HTTPTrouble) {
    try set(option, Int(value))
  }

  private func set(_ option: CURLoption, _ value: String) throws(HTTPTrouble) {
    try check(ccurl_set_text(easy, option, value))
  }

  private func check(_ code: CURLcode) throws(HTTPTrouble) {
    guard code == CURLE_OK else { throw .other(code.rawValue) }
  }

  // MARK: What comes

  private static func of(_ context: UnsafeMutableRawPointer?) -> HTTPTransfer {
    Unmanaged<HTTPTransfer>.fromOpaque(context!).takeUnretainedValue()
  }

  /// Takes one line of the head. libcurl ends the exchange if the result is not the line's length.
  /// A head that drips counts as silence until it is whole; so do the heads of provisional answers.
  private func takeHead(_ line: UnsafeRawBufferPointer) -> Int {
    head += line.count
    guard head <= Self.maxHeadSize else {
      trouble = .tooLong
      return -1
    }
    let isEnd = line.allSatisfy { $0 == 0x0D || $0 == 0x0A }
    if isEnd, ccurl_long(easy, CURLINFO_RESPONSE_CODE) >= 200 { heardAt = BootClock.now() }
    return isEnd && isRefused ? -1 : line.count
  }

  private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    heardAt = BootClock.now()
    do throws(HTTPTrouble) {
      if let read = request.read {
        try read(Array(bytes))
      } else {
        guard body.count + bytes.count <= request.maxAnswerSize else { throw HTTPTrouble.tooLong }
        body += bytes
      }
      return bytes.count
    } catch {
      trouble = error
      return -1
    }
  }
}
