import FobBase
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import SerialIO
import Synchronization
import SystemCrypto

/// Listens, and has somebody answer, who may change: a port that is closed and opened again would
/// lose connections that are being accepted, which NIO treats as a fault. Connections are counted
/// and limited before anything of a request is read.
final class HTTPService: Sendable {
  /// Who answers.
  struct Answerer: Sendable {
    let respond: @Sendable (Request, ConnectionContext) async throws -> Response
    /// Whose known token or session a request shows; nil: none.
    let holder: @Sendable (HTTPRequest) -> Caller.Holder?
  }

  private let configuration: ConsoleConfiguration
  private let tls: TLSServer?
  let connections: Connections
  private let answerer = Mutex<Answerer?>(nil)
  /// Where it listens; nil before.
  private let port = Mutex<Int?>(nil)
  /// Its own threads: anonymous clients must not keep threads busy that send messages to people.
  private let loops = MultiThreadedEventLoopGroup(numberOfThreads: ConsoleLimits.eventLoops)
  private let running = Mutex<Task<Void, any Error>?>(nil)
  private let listener = Mutex<(any Channel)?>(nil)

  /// Reads the TLS files, and does not listen yet.
  /// - Throws: `IOFailure` if a TLS file cannot be read or used.
  init(_ configuration: ConsoleConfiguration) throws {
    self.configuration = configuration
    tls = try configuration.tls.map { try $0.server() }
    connections = Connections(
      most: configuration.connectionLimit ?? DescriptorBudget.now.connections)
  }

  /// Listens where it does not yet, and has `answerer` answer from now on, until `stop`.
  /// - Returns: the port.
  /// - Throws: an error if it cannot listen there.
  func serve(_ answerer: Answerer) async throws -> Int {
    self.answerer.withLock { $0 = answerer }
    if let port = port.withLock({ $0 }) { return port }
    let bound = try await listen()
    port.withLock { $0 = bound }
    return bound
  }

  private func listen() async throws -> Int {
    let (ports, port) = AsyncThrowingStream<Int, any Error>.makeStream()
    var logger = Logger(label: "fob.console")
    // At a lower level, Hummingbird logs each stop as an error.
    logger.logLevel = .critical
    let address = configuration.address
    let application = Application(
      responder: CurrentResponder(service: self), server: httpServer(),
      configuration: ApplicationConfiguration(
        address: .hostname(address.host, port: address.port), backlog: ConsoleLimits.backlog),
      onServerRunning: { [weak self] channel in
        self?.listener.withLock { $0 = channel }
        port.yield(channel.localAddress?.port ?? address.port)
        port.finish()
      }, eventLoopGroupProvider: .shared(loops), logger: logger)
    let task = Task.detached {
      do {
        try await application.run()
      } catch {
        port.finish(throwing: error)
        throw error
      }
    }
    running.withLock { $0 = task }
    for try await bound in ports { return bound }
    throw IOFailure("listen at", errno: EADDRNOTAVAIL, path: address.description)
  }

  /// Closes every connection, within two seconds.
  /// - Parameter finally: is waited for behind the last request.
  func stop(_ finally: @escaping @Sendable () async -> Void) async {
    let running = running.withLock { $0.take() }
    let ended = Waiting<Bool>()
    Task.detached { [self] in
      // Accepted connections are served to their end: NIO treats a dropped one as a fault.
      try? await listener.withLock { $0.take() }?.close()
      connections.closeAll()
      let patience = Task.detached {
        try await Task.sleep(for: .milliseconds(500))
        running?.cancel()
      }
      _ = await running?.result
      await finally()
      patience.cancel()
      try? await loops.shutdownGracefully()
      ended.put(true)
    }
    _ = await ended.get(within: .milliseconds(1_800))
  }

  private func httpServer() -> HTTPServerBuilder {
    let (tls, connections) = (tls, connections)
    let patience = configuration.patience
    let holder: @Sendable (HTTPRequest) -> Caller.Holder? = { [weak self] request in
      self?.answerer.withLock { $0 }?.holder(request)
    }
    let http = HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        ConnectionHandler(connections, patience: patience, holder: holder)
      ],
      idleTimeout: .seconds(60),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100))
    return HTTPServerBuilder { responder in
      let plain = HTTP1Channel(responder: responder, configuration: http)
      guard let tls else { return plain }
      return TLSChannel(base: plain, server: tls)
    }
  }

  private struct CurrentResponder: HTTPResponder {
    typealias Context = ConnectionContext

    let service: HTTPService

    func respond(to request: Request, context: ConnectionContext) async throws -> Response {
      guard let answerer = service.answerer.withLock({ $0 }) else {
        throw Problem(.serviceUnavailable, "stopping", "the core is stopping")
      }
      return try await answerer.respond(request, context)
    }
  }
}
