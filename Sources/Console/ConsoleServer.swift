import FobBase
import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import SerialIO
import Storage
import Synchronization
import SystemCrypto

/// The HTTP API and its event streams. It runs in its own task: the alarm path does not depend on
/// it.
public final class ConsoleServer: Sendable {
  private let configuration: ConsoleConfiguration
  private let api: API
  private let tls: TLSServer?
  /// Its own threads: anonymous clients must not keep threads busy that send messages to people.
  private let loops = MultiThreadedEventLoopGroup(numberOfThreads: ConsoleLimits.eventLoops)
  private let port = Mutex<Int?>(nil)
  private struct Running: Sendable {
    let server: Task<Void, any Error>
    /// Feeds the metrics from the log.
    let counting: Task<Void, any Error>
  }

  private let running = Mutex<Running?>(nil)
  private let listener = Mutex<(any Channel)?>(nil)

  /// Reads the TLS files, and does not listen yet.
  /// - Throws: `IOFailure` if a TLS file cannot be read or used, or a thread cannot start.
  public init(_ configuration: ConsoleConfiguration, core: any Core) throws {
    self.configuration = configuration
    tls = try configuration.tls.map { try $0.server() }
    api = try API(configuration, core: core)
  }

  /// Listens, and serves until `stop`.
  /// - Returns: the port, which matters if the configuration asks for port 0.
  /// - Throws: an error if it cannot listen there.
  public func start() async throws -> Int {
    let builder = httpServer()
    let (ports, port) = AsyncThrowingStream<Int, any Error>.makeStream()
    var logger = Logger(label: "fob.console")
    // At a lower level, Hummingbird logs each stop as an error.
    logger.logLevel = .critical
    let address = configuration.address
    let application = Application(
      responder: Responder(api: api), server: builder,
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
    let counting = Task.detached { [api] in
      let reader = api.core.lines(after: try api.core.lastLogID(), matching: LogFilter())
      while true { api.metrics.note(try await reader.next()) }
    }
    running.withLock { $0 = Running(server: task, counting: counting) }
    for try await bound in ports {
      self.port.withLock { $0 = bound }
      return bound
    }
    throw IOFailure("listen at", errno: EADDRNOTAVAIL, path: address.description)
  }

  /// Why other hosts cannot reach this server under its names, in words with a hint; empty if they
  /// can. It sends requests to itself.
  public func troubles() async -> [String] {
    guard let port = port.withLock({ $0 }) else { return [] }
    return await SelfCheck(configuration: configuration, port: port).troubles()
  }

  /// Ends the streams and closes every connection, within two seconds.
  public func stop() async {
    api.stop()
    let running = running.withLock { $0.take() }
    let ended = Waiting<Bool>()
    Task.detached { [self] in
      // Accepted connections are served to their end: NIO treats a dropped one as a fault.
      try? await listener.withLock { $0.take() }?.close()
      api.connections.closeAll()
      running?.counting.cancel()
      let patience = Task.detached {
        try await Task.sleep(for: .milliseconds(500))
        running?.server.cancel()
      }
      _ = await running?.server.result
      _ = await running?.counting.result
      patience.cancel()
      try? await loops.shutdownGracefully()
      ended.put(true)
    }
    _ = await ended.get(within: .milliseconds(1_800))
    api.end()
  }

  private func httpServer() -> HTTPServerBuilder {
    let (api, tls, patience) = (api, tls, configuration.anonymousPatience)
    let http = HTTP1Channel.Configuration(
      additionalChannelHandlers: [
        ConnectionHandler(api.connections, patience: patience, knows: api.authorizer.knows)
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

extension ConsoleConfiguration.TLS {
  /// The certificates in the file, the server's own first.
  func chain() throws(IOFailure) -> [Certificate] {
    guard let pem = FileManager.default.contents(atPath: certificate) else {
      throw IOFailure("read", errno: errno, path: certificate)
    }
    do throws(TLSFailure) {
      let chain = try Certificate.all(inPEM: pem)
      if !chain.isEmpty { return chain }
    } catch {
      throw IOFailure("use", errno: EINVAL, path: certificate, reason: "it \(error)")
    }
    throw IOFailure("use", errno: EINVAL, path: certificate, reason: "it has no PEM certificate")
  }

  fileprivate func server() throws(IOFailure) -> TLSServer {
    let chain = try chain()
    let pem = try SecretFile.read(key, longest: 65_536)
    var made: Result<TLSServer, TLSFailure>?
    pem.withBytes { bytes in
      made = Result { () throws(TLSFailure) in try TLSServer(chain: chain, key: bytes) }
    }
    switch made {
    case .success(let server): return server
    case .failure(let failure):
      throw IOFailure("use", errno: EINVAL, path: key, reason: "\(failure)")
    case nil: throw IOFailure("read", errno: EINVAL, path: key)
    }
  }
}
