import Console
import FobBase
import Foundation
import SerialIO
import TestSupport

/// A console on a free port of the loopback, with a folder and a core of its own.
final class Rig: Sendable {
  let folder: ScratchDirectory
  let core: BenchCore
  let server: ConsoleServer
  let port: Int
  let tokens: TokenBook
  let code: OneTimeCode
  let links: Links
  /// Of each scope.
  let token: [Scope: String]

  convenience init(
    core: BenchCore = BenchCore(), _ edit: (inout ConsoleConfiguration) -> Void = { _ in }
  ) async throws {
    try await self.init(core, on: core, edit)
  }

  /// On another core than the bench's.
  convenience init(
    on core: any Core, _ edit: (inout ConsoleConfiguration) -> Void = { _ in }
  ) async throws {
    try await self.init(BenchCore(), on: core, edit)
  }

  private init(
    _ bench: BenchCore, on core: any Core,
    _ edit: (inout ConsoleConfiguration) -> Void
  ) async throws {
    folder = try ScratchDirectory()
    self.core = bench
    tokens = TokenBook(folder: folder.path)
    code = OneTimeCode(at: BootClock.now())
    links = try Links(folder: folder.path)
    var made: [Scope: String] = [:]
    for scope in Scope.allCases {
      made[scope] = try tokens.create(name: scope.rawValue, scope: scope).text
    }
    token = made
    var configuration = ConsoleConfiguration(
      address: try ListenAddress("127.0.0.1:0", isTLS: false), tokens: tokens, links: links)
    configuration.code = code
    edit(&configuration)
    server = try ConsoleServer(configuration, core: core)
    port = try await server.start()
  }

  /// Runs a test against a console, and stops it whatever happens.
  static func run(
    core: BenchCore = BenchCore(), edit: (inout ConsoleConfiguration) -> Void = { _ in },
    _ body: (Rig) async throws -> Void
  ) async throws {
    let rig = try await Rig(core: core, edit)
    do {
      try await body(rig)
      await rig.server.stop()
    } catch {
      await rig.server.stop()
      throw error
    }
  }

  /// - Parameter scope: whose token is sent; nil: none.
  func ask(
    _ method: String, _ path: String, as scope: Scope? = .administer, json: String? = nil,
    headers: [String: String] = [:]
  ) async throws -> RawClient.Response {
    var headers = headers
    if let scope { headers["Authorization"] = "Bearer \(token[scope]!)" }
    if json != nil { headers["Content-Type"] = headers["Content-Type"] ?? "application/json" }
    return try await send(method, path, headers: headers, body: Array((json ?? "").utf8))
  }

  func send(
    _ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8] = []
  ) async throws -> RawClient.Response {
    let port = port
    var all = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
    if !body.isEmpty { all["Content-Length"] = "\(body.count)" }
    all.merge(headers) { $1 }
    let head =
      "\(method) \(path) HTTP/1.1\r\n"
      + all.map { "\($0): \($1)\r\n" }.sorted().joined() + "\r\n"
    return try await blocking {
      let client = try RawClient(port: port)
      try client.send(Array(head.utf8) + body)
      return try client.response()
    }
  }

  var origin: String { "http://127.0.0.1:\(port)" }
}

/// As RFC 9457 has it, with what this API adds.
struct ProblemBody: Decodable {
  let type: String
  let title: String
  let status: Int
  let detail: String
  let code: String
  let field: String?
  let scope: String?
  let state: String?
}
