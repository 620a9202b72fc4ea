import FobBase
import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTLS
import Logging
import NIOCore
import NIOPosix
import SerialIO
import Storage
import Synchronization

/// The HTTP API and its event stream. It runs in a task of its own: the alarm path does not know
/// of it.
public final class ConsoleServer: Sendable {
  private let configuration: ConsoleConfiguration
  private let api: API
  /// Its own: what goes out to people is not sent by threads that strangers keep busy.
  private let loops = MultiThreadedEventLoopGroup(numberOfThreads: ConsoleLimits.eventLoops)
  private let port = Mutex<Int?>(nil)
  private struct Running: Sendable {
    let server: Task<Void, any Error>
    /// Of what the metrics count.
    let counting: Task<Void, any Error>
  }

  private let running = Mutex<Running?>(nil)
  private let listener = Mutex<(any Channel)?>(nil)

  public init(_ configuration: ConsoleConfiguration, core: any Core) throws {
    self.configuration = configuration
    api = try API(configuration, core: core)
  }

  /// - Returns: the port that it listens at, where 0 was asked for another.
  /// - Throws: `IOFailure` where it cannot listen there, or a TLS file cannot be read.
  public func start() async throws -> Int {
    let builder = try httpServer()
    let (ports, port) = AsyncThrowingStream<Int, any Error>.makeStream()
    var logger = Logger(label: "fob.console")
    // Below that, Hummingbird tells of each stop as of an error.
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

  /// What keeps others from reaching it by one of its names, in words with a hint. Asks this
  /// very server.
  public func troubles() async -> [String] {
    guard let port = port.withLock({ $0 }) else { return [] }
    return await SelfCheck(configuration: configuration, port: port, loops: loops).troubles()
  }

  /// Ends the streams and closes every connection, within two seconds.
  public func stop() async {
    api.stop()
    let running = running.withLock { $0.take() }
    let ended = Waiting<Bool>()
    Task.detached { [self] in
      // Who has been let in is heard out: a connection that is dropped unheard is a fault to NIO.
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

  private func httpServer() throws -> HTTPServerBuilder {
    let (api, patience) = (api, configuration.anonymousPatience)
    let http = HTTPServerBuilder.http1(
      configuration: .init(
        additionalChannelHandlers: [
          ConnectionHandler(api.connections, patience: patience, knows: api.authorizer.knows)
        ],
        idleTimeout: .seconds(60),
        httpDecoderConfiguration: .init(
          maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)))
    guard let tls = configuration.tls else { return http }
    let chain = try NIOSSLCertificate.fromPEMFile(tls.certificate)
    let key = try SecretFile.read(tls.key, longest: 65_536).withBytes {
      try NIOSSLPrivateKey(bytes: Array($0), format: .pem)
    }
    return try .tls(
      http,
      tlsConfiguration: .makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key)))
  }
}
