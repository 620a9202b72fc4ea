import Bridge
import Console
import FobBase
import Glibc
import SerialIO
import Storage

/// The HTTP API of a core service: its server, and the feed server where bridges on other hosts
/// feed the core.
final class APIServer: Sendable {
  private let server: ConsoleServer
  private let feedServer: FeedServer
  let code: OneTimeCode
  /// As in http://127.0.0.1:8787
  let url: String
  /// The file with the first administrator's token, where it was written now.
  let firstToken: String?
  /// What keeps others from reaching it, in words with a hint.
  let troubles: [String]
  /// What was found damaged of what lets people in, and what follows.
  let damages: [String]

  /// Listens from now on.
  init(_ configuration: ConsoleConfiguration, bridge: AlertBridge, store: AlertStore) throws {
    DescriptorLimit.raise()
    var configuration = configuration
    code = OneTimeCode(at: BootClock.now())
    configuration.code = code
    feedServer = try FeedServer(bridge)
    configuration.feed = feedServer
    let opened = try configuration.tokens.open()
    firstToken = opened.firstToken
    damages = [opened.damage, configuration.links.damage].compactMap(\.self)
    server = try ConsoleServer(configuration, core: LiveCore(bridge: bridge, store: store))
    let port: Int
    do {
      port = try Self.wait { [server] in try await server.start() }
      troubles = try Self.wait { [server] in await server.troubles() }
    } catch {
      feedServer.stop()
      try? Self.wait { [server] in await server.stop() }
      throw Failure(
        .cannotOpen,
        "cannot listen at \(configuration.address): \(error); choose another --listen")
    }
    let scheme = configuration.tls == nil ? "http" : "https"
    let host = configuration.address.host
    url = "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)"
  }

  /// Before the bridge's end.
  func stop() {
    feedServer.stop()
    try? Self.wait { [server] in await server.stop() }
  }

  /// For threads outside Swift's concurrency, which may block.
  private static func wait<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let gate = try OneShot<Result<Value, any Error>>()
    Task.detached {
      do {
        gate.open(with: .success(try await work()))
      } catch {
        gate.open(with: .failure(error))
      }
    }
    // Swift's pool waits for ever where the system gives it no thread.
    guard let result = try gate.pass(until: BootClock.now() + .seconds(30)) else {
      throw IOFailure("start or stop", errno: ETIMEDOUT, path: "the HTTP API within 30 s")
    }
    return try result.get()
  }
}
