import FobBase
import Foundation
import SerialIO
import Storage
import Synchronization
import SystemCrypto

/// The HTTP API and its event streams. It runs in its own task: the alarm path does not depend on
/// it.
public final class ConsoleServer: Sendable {
  private let configuration: ConsoleConfiguration
  private let api: API
  private let service: HTTPService
  private let port = Mutex<Int?>(nil)
  /// Feeds the metrics from the log.
  private let counting = Mutex<Task<Void, any Error>?>(nil)

  /// Reads the TLS files, and does not listen yet.
  /// - Parameter standby: goes on where this core has stood by, at the same place.
  /// - Throws: `IOFailure` if a TLS file cannot be read or used, or a thread cannot start.
  public init(
    _ configuration: ConsoleConfiguration, core: any Core, after standby: StandbyServer? = nil
  ) throws {
    self.configuration = configuration
    service = try standby?.service ?? HTTPService(configuration)
    api = try API(configuration, core: core, connections: service.connections)
  }

  /// Listens, and serves until `stop`.
  /// - Returns: the port, which matters if the configuration asks for port 0.
  /// - Throws: an error if it cannot listen there.
  public func start() async throws -> Int {
    let responder = Responder(api: api)
    let bound = try await service.serve(
      HTTPService.Answerer(
        respond: { try await responder.respond(to: $0, context: $1) },
        holder: api.authorizer.holder))
    port.withLock { $0 = bound }
    let counting = Task.detached { [api] in
      let reader = api.core.lines(after: try api.core.lastLogID(), matching: LogFilter())
      while true { api.metrics.note(try await reader.next()) }
    }
    self.counting.withLock { $0 = counting }
    return bound
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
    let counting = counting.withLock { $0.take() }
    counting?.cancel()
    await service.stop { _ = await counting?.result }
    api.end()
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

  func server() throws(IOFailure) -> TLSServer {
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
