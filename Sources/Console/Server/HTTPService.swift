import FobBase
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import SerialIO
import Synchronization
import SystemCrypto

/// Listens, and has a responder answer. Connections are counted and limited before anything of a
/// request is read.
final class HTTPService: Sendable {
  private let configuration: ConsoleConfiguration
  private let tls: TLSServer?
  private let connections: Connections
  private let knows: @Sendable (HTTPRequest) -> Bool
  /// Its own threads: anonymous clients must not keep threads busy that send messages to people.
  private let loops = MultiThreadedEventLoopGroup(numberOfThreads: ConsoleLimits.eventLoops)
  private let running = Mutex<Task<Void, any Error>?>(nil)
  private let listener = Mutex<(any Channel)?>(nil)

  /// - Parameter knows: whether a request shows a known token or session.
  init(
    _ configuration: ConsoleConfiguration, _ tls: TLSServer?, connections: Connections,
    knows: @escaping @Sendable (HTTPRequest) -> Bool
  ) {
    self.configuration = configuration
    self.tls = tls
    self.connections = connections
    self.knows = knows
  }

  /// Listens, and serves until `stop`.
  /// - Returns: the port.
  /// - Throws: an error if it cannot listen there.
  func start(_ responder: some HTTPResponder<ConnectionContext>) async throws -> Int {
    let (ports, port) = AsyncThrowingStream<Int, any Error>.makeStream()
    var logger = Logger(label: "fob.console")
    // At a lower level, Hummingbird logs each stop as an error.
    logger.logLevel = .critical
    let address = configuration.address
    let application = Application(
      responder: responder, server: httpServer(),
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
  func stop(_ finally: @escaping @Sendable () async -> Void = {}) async {
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
    let (tls, connections, knows) = (tls, connections, knows)
    let patience = configuration.anonymousPatience
    let http = HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        ConnectionHandler(connections, patience: patience, knows: knows)
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
}
