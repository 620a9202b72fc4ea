import CCurl
package import FobBase
import Glibc
import SerialIO

/// What one exchange over HTTP asks, and how much is taken of whoever answers.
package struct HTTPRequest: Sendable {
  /// Of whom it is believed that he is who the address says, where it is https.
  package enum Trust: Sendable {
    /// The system's certificate authorities.
    case system
    /// Certificates in PEM, and no others.
    case certificates([UInt8])
    /// For a server that asks itself: whom others trust is theirs to say.
    case anyone
  }

  package var url: String
  package var headers: [(name: String, value: String)] = []
  /// Posted; nil: it is a GET.
  package var body: [UInt8]?
  package var trust = Trust.system
  /// From the look-up of the name to the end of a handshake.
  package var connectWithin = Interval.seconds(5)
  /// From the look-up of the name to the last byte of the answer; nil: as long as it is heard.
  package var answerWithin: Interval? = .seconds(10)
  /// Bytes of an answer's body.
  package var maxAnswerSize = 64 * 1_024
  /// Is given the body of a 200 as it comes, which is then not kept; throws what ends the exchange.
  /// An answer with another status is over at its head.
  var read: (@Sendable ([UInt8]) throws(HTTPTrouble) -> Void)?

  package init(_ url: String) { self.url = url }
}

/// Why an exchange has no answer.
package enum HTTPTrouble: Error, Equatable {
  /// The address or a header is none.
  case address
  case noName
  case nobodyListens
  case connectsLate
  case answersLate
  /// In mid-answer, or before it.
  case closes
  case tooLong
  case noHTTP
  case noTrust
  /// On this side.
  case cancelled
  /// Any other, by libcurl's number.
  case other(UInt32)

  /// libcurl's, of an exchange that was connected or not.
  fileprivate init(_ code: CURLcode, isConnected: Bool, errno: Int) {
    switch code {
    case CURLE_URL_MALFORMAT: self = .address
    case CURLE_COULDNT_RESOLVE_HOST: self = .noName
    case CURLE_COULDNT_CONNECT: self = .nobodyListens
    case CURLE_OPERATION_TIMEDOUT: self = isConnected ? .answersLate : .connectsLate
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR: self = .closes
    // Without an error of the socket it is what was read that is wrong, as the size of a chunk.
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
/// HTTP/1.1 alone, no redirects (a body goes to who was configured), no proxy, cookie or password
/// of the environment, TLS 1.2 or later. What the other end sends is bounded: its head as its body.
package final class HTTPTransfer {
  package struct Answer: Equatable, Sendable {
    package let status: Int
    package let body: [UInt8]
  }

  /// Bytes of all heads and trailers of one answer.
  private static let maxHeadSize = 64 * 1_024
  /// Once in a process, before the first; later ones wait for it.
  private static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  let easy: UnsafeMutableRawPointer
  private let request: HTTPRequest
  private var headers: UnsafeMutablePointer<curl_slist>?
  private var head = 0
  private var body: [UInt8] = []
  /// Ends the exchange; libcurl's own word for it says less.
  private var trouble: HTTPTrouble?
  /// When the last byte came.
  private(set) var heardAt = BootClock.now()

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

  /// Waits for the answer, on the caller's thread.
  package func perform() throws(HTTPTrouble) -> Answer { try answer(curl_easy_perform(easy)) }

  /// - Parameter code: what libcurl says at the end.
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
    // A name that is still looked up holds nobody up: its thread ends when it may.
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    try set(CURLOPT_CONNECTTIMEOUT_MS, request.connectWithin.microseconds / 1_000)
    // 0 would be no limit.
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
    // Those that libcurl would add of itself.
    for name in ["Accept", "Expect", "User-Agent"]
    where !request.headers.contains(where: { $0.name.lowercased() == name.lowercased() }) {
      try add("\(name):")
    }
    for (name, value) in request.headers {
      // Nothing in a value ends its line.
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .address }
      try add(value.isEmpty ? "\(name);" : "\(name): \(value)")
    }
    try check(ccurl_set_pointer(easy, CURLOPT_HTTPHEADER, headers))
  }

  private func setTrust() throws(HTTPTrouble) {
    switch request.trust {
    case .system: break
    case .certificates(let pem):
      // Else the system's folder of authorities would count beside them.
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

  /// One line. Any other number than that of its bytes ends the exchange.
  private func takeHead(_ line: UnsafeRawBufferPointer) -> Int {
    heardAt = BootClock.now()
    head += line.count
    guard head <= Self.maxHeadSize else {
      trouble = .tooLong
      return -1
    }
    let isEnd = line.allSatisfy { $0 == 0x0D || $0 == 0x0A }
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
