import Control
import FobBase
import SerialIO
import TestSupport

/// A server in a directory of its own, and what its clients say and hear.
final class Fixture {
  let server: ControlServer
  private let directory: ScratchDirectory

  init(
    handler: @escaping @Sendable (ControlRequest, ControlReply) -> Void = Fixture.echo
  ) throws {
    directory = try ScratchDirectory()
    server = try ControlServer(path: "\(directory.path)/control", handler: handler)
  }

  deinit { server.stop() }

  func client() throws -> ControlClient { try ControlClient(path: server.path) }

  static func deadline() -> Instant { BootClock.now() + .seconds(10) }

  /// Answers `{"n":…}` with itself.
  static let echo: @Sendable (ControlRequest, ControlReply) -> Void = { request, reply in
    guard let numbered = try? request.decode(Numbered.self) else {
      reply.fail("no number")
      return
    }
    reply.send(numbered)
  }
}

struct Numbered: Codable, Hashable {
  var n: Int
}
