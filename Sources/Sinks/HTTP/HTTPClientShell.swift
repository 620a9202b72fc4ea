import AsyncHTTPClient
import FobBase
import NIOCore
import NIOHTTP1
import SerialIO
import Synchronization

/// Posts, and waits for the answer on the caller's thread: the notification channels have threads
/// of their own.
///
/// What a receiver does wrong (it hangs, drips, lies about its length, sends too much) ends at the
/// deadline or before, as a ``SinkFailure`` that names the sink, the host and the reason. What was
/// posted, the path and the answer stay out of it: they hold numbers, positions and secrets.
struct HTTPClientShell: Sendable {
  /// From the look-up of the name to the last byte of the answer.
  var deadline = Interval.seconds(10)

  static let maxAnswerSize = 64 * 1_024

  /// One for the process; redirects are not followed, since a body goes to who was configured.
  private static let client: HTTPClient = {
    var configuration = HTTPClient.Configuration(
      redirectConfiguration: .disallow,
      timeout: .init(connect: .seconds(5), read: .seconds(10)), decompression: .disabled)
    configuration.httpVersion = .http1Only
    // The core tries again, by another way first.
    configuration.connectionPool.retryConnectionEstablishment = false
    return HTTPClient(configuration: configuration)
  }()

  /// - Parameter url: of an ``HTTPAddress``, with a path.
  func post(
    _ url: String, headers: [(String, String)], body: [UInt8], for sink: String
  ) throws(SinkFailure) -> HTTPAnswer {
    let request: HTTPClient.Request
    do {
      request = try HTTPClient.Request(
        url: url, method: .POST, headers: HTTPHeaders(headers), body: .bytes(body))
    } catch {
      throw SinkFailure(sink: sink, reason: "its address cannot be used: \(Self.reason(error))")
    }
    switch outcome(of: request) {
    case .success(let response):
      return HTTPAnswer(
        sink: sink, host: request.host, status: Int(response.status.code),
        body: response.body.map { Array($0.readableBytesView) } ?? [])
    case .failure(let error):
      throw SinkFailure(sink: sink, reason: "\(request.host): \(Self.reason(error))")
    }
  }

  private func outcome(of request: HTTPClient.Request) -> Result<HTTPClient.Response, any Error> {
    let exchange: Exchange
    do { exchange = try Exchange() } catch { return .failure(error) }
    let latest = BootClock.now() + deadline
    let task = Self.client.execute(
      request: request,
      delegate: ResponseAccumulator(request: request, maxBodySize: Self.maxAnswerSize))
    task.futureResult.whenComplete { exchange.end($0) }
    if let result = exchange.wait(until: latest) { return result }
    task.fail(reason: HTTPClientError.deadlineExceeded)
    return .failure(HTTPClientError.deadlineExceeded)
  }

  /// In words of our own: those of a library may quote what was sent or received.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case let error as HTTPClientError where error == .deadlineExceeded || error == .readTimeout:
      "it did not answer in time"
    case let error as HTTPClientError where error == .connectTimeout:
      "it cannot be reached: no connection in time"
    case let error as HTTPClientError where error == .remoteConnectionClosed:
      "it closed the connection in mid-answer"
    case let error as HTTPClientError: error.shortDescription
    case is ResponseAccumulator.ResponseTooBigError:
      "its answer is longer than \(maxAnswerSize) bytes"
    case HTTPParserError.invalidEOFState: "it closed the connection in mid-answer"
    case is HTTPParserError: "it does not speak HTTP"
    case let error as IOFailure: error.description
    default: "it cannot be reached (\(type(of: error)))"
    }
  }

  /// What the event loop hands to the thread that waits.
  private final class Exchange: Sendable {
    private let result = Mutex<Result<HTTPClient.Response, any Error>?>(nil)
    private let hasEnded: EventSignal

    init() throws(IOFailure) { hasEnded = try EventSignal() }

    func end(_ result: Result<HTTPClient.Response, any Error>) {
      self.result.withLock { $0 = result }
      hasEnded.signal()
    }

    /// Nil when the deadline came first.
    func wait(until latest: Instant) -> Result<HTTPClient.Response, any Error>? {
      _ = try? Syscall.poll(hasEnded.descriptor, for: 1, until: latest)
      return result.withLock { $0 }
    }
  }
}
