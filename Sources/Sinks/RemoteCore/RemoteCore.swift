import AlertCore
public import FobBase
import Foundation
import SerialIO
import Synchronization
import SystemCrypto

/// The client of a core on another host. No call waits: results are told on the client's own
/// threads, where callers must not wait either.
public final class RemoteCore: Sendable {
  /// The body of a 200, or why there is none.
  public typealias Outcome = Result<[UInt8], RemoteCoreFailure>

  /// The core's address, and how it is trusted.
  public let address: RemoteCoreAddress
  private let token: String
  private let trust: HTTPRequest.Trust
  private let exchanges: ExchangeThread
  /// The number of the open stream.
  private let streamID = Mutex<Int?>(nil)

  /// Longest answer, in bytes.
  private static let maxAnswerSize = 65_536
  private static let connectWithin = Interval.seconds(2)

  /// Starts the client's thread and connects to nothing. `token` needs a scope that may feed.
  /// Throws `.configuration` if the CA file cannot be used or the thread cannot start.
  public init(_ address: RemoteCoreAddress, token: String) throws(RemoteCoreFailure) {
    self.address = address
    self.token = token
    trust = try Self.trust(address.caFile)
    do throws(IOFailure) {
      exchanges = try ExchangeThread(name: "core client")
    } catch {
      throw RemoteCoreFailure(.configuration, "\(error)")
    }
  }

  private static func trust(_ caFile: String?) throws(RemoteCoreFailure) -> HTTPRequest.Trust {
    guard let caFile else { return .system }
    guard let pem = try? Data(contentsOf: URL(fileURLWithPath: caFile)),
      (try? Certificate.all(inPEM: pem))?.isEmpty == false
    else {
      throw RemoteCoreFailure(
        .configuration, "cannot read certificates from \(caFile): it is no PEM file, or not there")
    }
    return .certificates(Array(pem))
  }

  /// Posts a JSON body.
  /// - Parameters:
  ///   - path: begins with a slash; the core's address goes before it.
  ///   - body: JSON in UTF-8.
  ///   - within: the limit from the look-up of the name to the last byte of the answer.
  ///   - answer: called once, with the body of a 200 or a failure.
  public func post(
    _ path: String, _ body: [UInt8], within: Interval,
    answer: @escaping @Sendable (Outcome) -> Void
  ) {
    var request = request(path)
    request.headers.append((name: "Content-Type", value: "application/json"))
    request.body = body
    request.answerWithin = within
    exchanges.begin(request) { [self] outcome in
      switch outcome {
      case .success(let response):
        answer(
          response.status == 200
            ? .success(response.body) : .failure(failure(response.status, response.body)))
      case .failure(let trouble): answer(.failure(failure(trouble)))
      }
    }
  }

  /// Opens the stream of server-sent events at `path`, and ends the one that is open.
  /// - Parameters:
  ///   - path: begins with a slash; the core's address goes before it.
  ///   - onEvent: called for each event, in order.
  ///   - onEnd: called once, when the stream has ended or could not be opened.
  public func stream(
    _ path: String, onEvent: @escaping @Sendable (ServerEvent) -> Void,
    onEnd: @escaping @Sendable (RemoteCoreFailure) -> Void
  ) {
    let reader = StreamReader(onEvent)
    var request = request(path)
    request.headers.append((name: "Accept", value: "text/event-stream"))
    request.answerWithin = nil
    request.read = { (part) throws(HTTPTrouble) in try reader.read(part) }
    let silentAfter = RemoteCoreState.streamSilentAfter
    let id = exchanges.begin(request, silentAfter: silentAfter) { [self] outcome in
      switch outcome {
      case .success(let response) where response.status == 200:
        onEnd(RemoteCoreFailure(.unreachable, "\(address.url) closed the stream"))
      case .success(let response): onEnd(failure(response.status, []))
      case .failure(let trouble): onEnd(failure(trouble))
      }
    }
    let earlier = streamID.withLock { stored in
      defer { stored = id }
      return stored
    }
    if let earlier { exchanges.cancel(earlier) }
  }

  /// Ends the stream that is open; its `onEnd` is called.
  public func endStream() {
    if let id = streamID.withLock({ $0.take() }) { exchanges.cancel(id) }
  }

  /// Ends every request that is under way; later ones fail at once.
  public func close() { exchanges.stop() }

  private final class StreamReader: Sendable {
    private let parser = Mutex(ServerEventParser())
    private let onEvent: @Sendable (ServerEvent) -> Void

    init(_ onEvent: @escaping @Sendable (ServerEvent) -> Void) { self.onEvent = onEvent }

    func read(_ part: [UInt8]) throws(HTTPTrouble) {
      let events: [ServerEvent]
      do {
        events = try parser.withLock { try $0.read(part) }
      } catch {
        throw .tooLong
      }
      for event in events { onEvent(event) }
    }
  }

  private func request(_ path: String) -> HTTPRequest {
    var request = HTTPRequest(address.url + path)
    request.headers = [
      (name: "Authorization", value: "Bearer \(token)"), (name: "User-Agent", value: "fob-bridge"),
    ]
    request.trust = trust
    request.connectWithin = Self.connectWithin
    request.maxAnswerSize = Self.maxAnswerSize
    return request
  }

  private func failure(_ status: Int, _ body: [UInt8]) -> RemoteCoreFailure {
    struct Problem: Decodable { var detail: String? }
    switch status {
    case 401:
      return RemoteCoreFailure(.token, "\(address.url) does not know the token")
    case 403:
      return RemoteCoreFailure(.token, "\(address.url): the token lacks the scope 'feed'")
    default:
      let detail = (try? JSONDecoder().decode(Problem.self, from: Data(body)))?.detail
      let words = detail.map { ", \($0.prefix(200))" } ?? ""
      return RemoteCoreFailure(
        .refused(UInt(clamping: status)), "\(address.url) answers \(status)\(words)")
    }
  }

  private func failure(_ trouble: HTTPTrouble) -> RemoteCoreFailure {
    RemoteCoreFailure(.unreachable, "\(address.url) cannot be reached: \(Self.words(trouble))")
  }

  private static func words(_ trouble: HTTPTrouble) -> String {
    switch trouble {
    case .connectsLate, .answersLate: "no answer in time"
    case .closes: "it has closed the connection"
    case .noTrust:
      "its certificate is not trusted, or it speaks no TLS (--ca names who is trusted)"
    case .nobodyListens: "nobody listens there"
    case .noName: "its name is not known"
    case .noHTTP: "it does not speak HTTP"
    case .tooLong: "its answer is longer than it may be"
    case .address: "its address cannot be used"
    case .cancelled: "it was given up"
    case .other(let code): "error \(code) of libcurl"
    }
  }
}

/// The address of a core on another host, and how it is trusted.
public struct RemoteCoreAddress: Equatable, Sendable {
  /// Scheme, host and port, without a slash at the end.
  public let url: String
  /// A PEM file of the certificates that are trusted; nil: the system's authorities.
  public let caFile: String?

  /// - Parameters:
  ///   - text: as in "https://core.example.org:8420".
  ///   - caFile: a PEM file of the certificates that are trusted, for https alone; nil: the
  ///     system's authorities.
  ///   - allowsPlain: allows http to other hosts; otherwise a token is never sent in clear text.
  /// - Throws: `.configuration`, with a hint.
  public init(
    _ text: String, caFile: String? = nil, allowsPlain: Bool = false
  ) throws(RemoteCoreFailure) {
    guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
      let host = parts.host, !host.isEmpty, ["http", "https"].contains(scheme)
    else {
      throw RemoteCoreFailure(
        .configuration, "'\(text)' is no address of a core; write https://HOST:PORT")
    }
    guard parts.user == nil, parts.password == nil, parts.query == nil, parts.fragment == nil,
      parts.path.isEmpty || parts.path == "/"
    else {
      throw RemoteCoreFailure(
        .configuration, "the address of a core is https://HOST:PORT and nothing more")
    }
    guard scheme == "https" || allowsPlain || HTTPAddress.isLoopback(host) else {
      throw RemoteCoreFailure(
        .configuration,
        "http would send the token to \(host) in clear text; write https://, or force it with"
          + " --insecure")
    }
    guard scheme == "https" || caFile == nil else {
      throw RemoteCoreFailure(.configuration, "--ca says nothing with http; write https://")
    }
    let port = parts.port.map { ":\($0)" } ?? ""
    url = "\(scheme)://\(host)\(port)"
    self.caFile = caFile
  }
}

/// Why a core on another host did not do what it was asked.
public struct RemoteCoreFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// What the caller can do about it: try again, or change something first.
  public enum Kind: Equatable, Sendable {
    /// No answer, a late one, or a failed TLS handshake.
    case unreachable
    /// 401 or 403: another token is needed.
    case token
    /// Any other status than 200.
    case refused(UInt)
    /// The configuration is wrong: no retry helps.
    case configuration
  }

  /// Decides whether a retry helps.
  public let kind: Kind
  /// A clause for people, with the core's address.
  public let description: String

  /// The kind, and a clause for people.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

/// One event of a stream of server-sent events (WHATWG HTML, section 9.2.6).
public struct ServerEvent: Equatable, Sendable {
  /// The `event` field; "message" if the stream named none.
  public let name: String
  /// The `data` lines, joined by line feeds.
  public let data: String

  /// One event with its name and data.
  public init(name: String, data: String) {
    self.name = name
    self.data = data
  }
}

/// Parses a stream of server-sent events. It does not matter how the stream was cut into parts; a
/// line or event that is too long ends it.
struct ServerEventParser: Sendable {
  /// The longest line and the longest data of an event, in bytes.
  static let limit = 65_536

  private var line: [UInt8] = []
  private var name = ""
  private var data: [UInt8] = []
  private var hasData = false
  private var wasReturn = false

  struct TooLong: Error {}

  mutating func read(_ bytes: some Sequence<UInt8>) throws(TooLong) -> [ServerEvent] {
    var events: [ServerEvent] = []
    for byte in bytes {
      // A line ends with LF, CR or both.
      if byte == 0x0A, wasReturn {
        wasReturn = false
        continue
      }
      wasReturn = byte == 0x0D
      guard byte == 0x0A || byte == 0x0D else {
        guard line.count < Self.limit else { throw TooLong() }
        line.append(byte)
        continue
      }
      if let event = try endLine() { events.append(event) }
      line.removeAll(keepingCapacity: true)
    }
    return events
  }

  private mutating func endLine() throws(TooLong) -> ServerEvent? {
    guard !line.isEmpty else { return endEvent() }
    let colon = line.firstIndex(of: 0x3A) ?? line.endIndex
    var value = line[colon...].dropFirst()
    if value.first == 0x20 { value = value.dropFirst() }
    switch String(decoding: line[..<colon], as: UTF8.self) {
    case "event": name = String(decoding: value, as: UTF8.self)
    case "data":
      guard data.count + value.count < Self.limit else { throw TooLong() }
      if hasData { data.append(0x0A) }
      data.append(contentsOf: value)
      hasData = true
    default: break
    }
    return nil
  }

  private mutating func endEvent() -> ServerEvent? {
    defer {
      name = ""
      data.removeAll(keepingCapacity: true)
      hasData = false
    }
    guard hasData else { return nil }
    return ServerEvent(
      name: name.isEmpty ? "message" : name, data: String(decoding: data, as: UTF8.self))
  }
}
