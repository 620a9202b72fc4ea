import AlertCore
import AsyncHTTPClient
public import FobBase
import Foundation
import NIOCore
import NIOHTTP1
import NIOSSL
import Synchronization

/// The client of a core on another host. Nothing here waits: what came of a request is told on one
/// of its own threads, where nobody may wait either.
public final class RemoteCore: Sendable {
  public typealias Outcome = Result<[UInt8], RemoteCoreFailure>

  public let address: RemoteCoreAddress
  private let token: String
  private let client: HTTPClient
  private let streamTask = Mutex<HTTPClient.Task<Void>?>(nil)

  /// Longest answer, in bytes.
  private static let maxAnswerSize = 65_536
  private static let connectWithin = TimeAmount.seconds(2)
  private static let silentAfter = TimeAmount.microseconds(
    RemoteCoreState.streamSilentAfter.microseconds)

  public init(_ address: RemoteCoreAddress, token: String) throws(RemoteCoreFailure) {
    self.address = address
    self.token = token
    var configuration = HTTPClient.Configuration(
      tlsConfiguration: try Self.tls(address.caFile), redirectConfiguration: .disallow,
      timeout: .init(connect: Self.connectWithin, read: Self.silentAfter))
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.httpVersion = .http1Only
    client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
  }

  private static func tls(_ caFile: String?) throws(RemoteCoreFailure) -> TLSConfiguration {
    var tls = TLSConfiguration.makeClientConfiguration()
    guard let caFile else { return tls }
    do {
      tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(caFile))
    } catch {
      throw RemoteCoreFailure(
        .configuration, "cannot read certificates from \(caFile): it is no PEM file, or not there")
    }
    return tls
  }

  /// Posts a JSON body.
  /// - Parameter answer: called once, with the body of a 200.
  public func post(
    _ path: String, _ body: [UInt8], within: Interval,
    answer: @escaping @Sendable (Outcome) -> Void
  ) {
    let client = client
    do {
      let request = try request(.POST, path, body: body)
      let task = client.execute(
        request: request,
        delegate: ResponseAccumulator(request: request, maxBodySize: Self.maxAnswerSize),
        deadline: .now() + .microseconds(within.microseconds))
      task.futureResult.whenComplete { [self] result in
        switch result {
        case .success(let response):
          let body = response.body.map { Array($0.readableBytesView) } ?? []
          answer(
            response.status == .ok ? .success(body) : .failure(failure(response.status, body)))
        case .failure(let error): answer(.failure(failure(error)))
        }
      }
    } catch {
      answer(.failure(failure(error)))
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
    do {
      let request = try request(.GET, path, body: nil)
      let reader = ServerEventReader(onEvent)
      let task = client.execute(request: request, delegate: reader, deadline: nil)
      let earlier = streamTask.withLock { stored in
        defer { stored = task }
        return stored
      }
      earlier?.cancel()
      task.futureResult.whenComplete { [self] result in
        switch result {
        case .success: onEnd(RemoteCoreFailure(.unreachable, "\(address.url) closed the stream"))
        case .failure(let refusal as ServerEventReader.Refused):
          onEnd(failure(refusal.status, []))
        case .failure(let error): onEnd(failure(error))
        }
      }
    } catch {
      onEnd(failure(error))
    }
  }

  /// Ends what is under way.
  public func close() {
    streamTask.withLock { $0.take() }?.cancel()
    client.shutdown { _ in }
  }

  private func request(
    _ method: HTTPMethod, _ path: String, body: [UInt8]?
  ) throws -> HTTPClient.Request {
    var request = try HTTPClient.Request(url: address.url + path, method: method)
    request.headers.add(name: "Authorization", value: "Bearer \(token)")
    request.headers.add(name: "User-Agent", value: "fob-bridge")
    if let body {
      request.headers.add(name: "Content-Type", value: "application/json")
      request.body = .bytes(body)
    } else {
      request.headers.add(name: "Accept", value: "text/event-stream")
    }
    return request
  }

  private func failure(_ status: HTTPResponseStatus, _ body: [UInt8]) -> RemoteCoreFailure {
    struct Problem: Decodable { var detail: String? }
    switch status {
    case .unauthorized:
      return RemoteCoreFailure(.token, "\(address.url) does not know the token")
    case .forbidden:
      return RemoteCoreFailure(.token, "\(address.url): the token lacks the scope 'feed'")
    default:
      let detail = (try? JSONDecoder().decode(Problem.self, from: Data(body)))?.detail
      let words = detail.map { ", \($0.prefix(200))" } ?? ""
      return RemoteCoreFailure(
        .refused(status.code), "\(address.url) answers \(status.code)\(words)")
    }
  }

  private func failure(_ error: any Error) -> RemoteCoreFailure {
    RemoteCoreFailure(.unreachable, "\(address.url) cannot be reached: \(Self.words(error))")
  }

  /// Without what an error may carry along.
  private static func words(_ error: any Error) -> String {
    if let error = error as? HTTPClientError {
      switch error {
      case .connectTimeout, .deadlineExceeded, .readTimeout: return "no answer in time"
      case .remoteConnectionClosed: return "it has closed the connection"
      default: return error.description
      }
    }
    switch error {
    case is NIOSSLError, is NIOSSLExtraError:
      return "its certificate is not trusted, or it speaks no TLS (--ca names who is trusted)"
    case is IOError, is ChannelError: return "nobody listens there"
    default: return String("\(error)".prefix(200))
    }
  }
}
