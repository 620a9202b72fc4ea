import FobBase
import Hummingbird
import SerialIO
import Synchronization

/// What a core answers while another one has the store: that it lives, and who leads. Bridges and
/// people go on to that one.
public final class StandbyServer: Sendable {
  private let service: HTTPService
  private let news = Mutex("this core stands by")

  /// Reads the TLS files, and does not listen yet.
  /// - Throws: `IOFailure` if a TLS file cannot be read or used.
  public init(_ configuration: ConsoleConfiguration) throws {
    let room = configuration.connectionLimit ?? DescriptorBudget.now.connections
    service = HTTPService(
      configuration, try configuration.tls.map { try $0.server() },
      connections: Connections(most: room), knows: { _ in false })
  }

  /// Listens, and answers until `stop`. Throws an error if it cannot listen there.
  public func start() async throws { _ = try await service.start(StandbyResponder(self)) }

  /// - Parameter words: who leads, as every request hears it.
  public func tell(_ words: String) { news.withLock { $0 = words } }

  /// Closes every connection, within two seconds.
  public func stop() async { await service.stop() }

  /// `/healthz` is what it is with a core that leads.
  fileprivate func answer(to request: Request) -> Response {
    if request.method == .get, request.uri.path == "/healthz" { return Reply.json(["ok": true]) }
    return Problem(.serviceUnavailable, "standby", news.withLock { $0 }).response
  }
}

private struct StandbyResponder: HTTPResponder {
  typealias Context = ConnectionContext

  private let server: StandbyServer

  init(_ server: StandbyServer) { self.server = server }

  func respond(to request: Request, context: ConnectionContext) async throws -> Response {
    let response = server.answer(to: request)
    return request.method == .head ? response.createHeadResponse() : response
  }
}
