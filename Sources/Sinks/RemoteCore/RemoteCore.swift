import AlertCore
public import FobBase
import Foundation
import SerialIO
import Synchronization
import SystemCrypto

/// The client of a core on another host. Nothing here waits: what came of a request is told on one
/// of its own threads, where nobody may wait either.
public final class RemoteCore: Sendable {
  public typealias Outcome = Result<[UInt8], RemoteCoreFailure>

  public let address: RemoteCoreAddress
  private let token: String
  private let trust: HTTPRequest.Trust
  private let exchanges: ExchangeThread
  /// Of the stream that is open.
  private let streamID = Mutex<Int?>(nil)

  /// Longest answer, in bytes.
  private static let maxAnswerSize = 65_536
  private static let connectWithin = Interval.seconds(2)

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
  /// - Parameter answer: called once, with the body of a 200.
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

  /// Opens the stream of server-sent events at `path`, in place of one that is open.
  /// - Parameters:
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

  /// Ends what is under way.
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
