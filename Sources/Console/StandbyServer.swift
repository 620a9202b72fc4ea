import FobBase
import HTTPTypes
import Hummingbird
import SerialIO
import Synchronization

/// What a core answers while another one has the store: that it lives, and who leads. Bridges and
/// people go on to that one. A `ConsoleServer` goes on in its place.
public final class StandbyServer: Sendable {
  let service: HTTPService
  private let news = Mutex("this core stands by")

  /// Reads the TLS files, and does not listen yet.
  /// - Throws: `IOFailure` if a TLS file cannot be read or used.
  public init(_ configuration: ConsoleConfiguration) throws {
    service = try HTTPService(configuration)
  }

  /// Listens, and answers until a `ConsoleServer` does. Throws an error if it cannot listen there.
  public func start() async throws {
    _ = try await service.serve(
      HTTPService.Answerer(
        respond: { [weak self] request, _ in
          let response = self?.answer(to: request) ?? Response(status: .serviceUnavailable)
          return request.method == .head ? response.createHeadResponse() : response
        }, holder: { _ in nil }))
  }

  /// - Parameter words: who leads, as every request hears it.
  public func tell(_ words: String) { news.withLock { $0 = words } }

  /// `/healthz` is what it is with a core that leads.
  private func answer(to request: Request) -> Response {
    if request.method == .get, request.uri.path == "/healthz" { return Reply.json(["ok": true]) }
    return Problem(.serviceUnavailable, "standby", news.withLock { $0 }).response
  }
}
