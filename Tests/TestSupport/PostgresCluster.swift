import Foundation
import Glibc
import Synchronization
import Testing

/// A PostgreSQL server in a folder of its own, which is reached by a Unix socket there. Tests that
/// run at once share one; it ends with the last of them.
public final class PostgresCluster: Sendable {
  private let scratch: ScratchDirectory
  /// Of its socket, as PGHOST has it.
  public var folder: String { scratch.path }
  public var socket: String { folder + "/.s.PGSQL.5432" }
  private let number = Atomic(0)
  /// The server takes no root: then it is Debian's user of it.
  private static let user =
    geteuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups " : ""

  private struct Shared { weak var cluster: PostgresCluster? }
  private static let shared = Mutex(Shared())

  /// The server of all tests that hold it now, started where there is none.
  public static func common() throws -> PostgresCluster {
    try shared.withLock { shared in
      if let cluster = shared.cluster { return cluster }
      let cluster = try PostgresCluster()
      shared.cluster = cluster
      return cluster
    }
  }

  /// Starts one of a test's own, which ends with it.
  public init() throws {
    scratch = try ScratchDirectory()
    if geteuid() == 0 { try Self.run("chown postgres:postgres \(folder)") }
    try program("initdb", "-A trust -U fob -E UTF8 --locale=C.UTF-8 -N -D \(scratch.path("data"))")
    try start()
  }

  deinit { try? stop() }

  /// Starts it again after `stop`.
  public func start() throws {
    try program(
      "pg_ctl",
      """
      start -w -D \(scratch.path("data")) -l \(scratch.path("log")) \
      -o "-k \(folder) -c listen_addresses= -c max_connections=200"
      """)
  }

  /// Ends it as a kill does.
  public func stop() throws {
    try program("pg_ctl", "stop -w -m immediate -D \(scratch.path("data"))")
  }

  /// Starts a receiver of the server's log, which says at once what it has flushed, as a standby
  /// does; `synchronous_standby_names` calls it `pg_receivewal`. It ends with the server.
  public func startStandby() throws {
    let log = scratch.path("wal")
    try Self.run("\(Self.user)mkdir '\(log)'")
    let receiver = try Self.path(of: "pg_receivewal")
    try Self.run(
      "(\(Self.user)\(receiver) --synchronous --no-loop -D '\(log)' -h '\(folder)' -U fob"
        + " </dev/null >/dev/null 2>&1 &)")
  }

  /// - Parameter options: of createdb.
  /// - Returns: the URL of a new and empty database.
  public func database(_ options: String = "") throws -> String {
    let name = "test\(number.add(1, ordering: .relaxed).newValue)"
    try program("createdb", "-h \(folder) -U fob \(options) \(name)")
    return url(name)
  }

  /// Carries statements out, each by itself.
  /// - Parameter url: of the database.
  /// - Returns: the rows, one a line.
  public static func ask(_ statements: String..., of url: String) throws -> String {
    let words = statements.map { "-c \"\($0)\"" }.joined(separator: " ")
    let (status, output) = try Shell.run(
      "\(path(of: "psql")) -XAtq -v ON_ERROR_STOP=1 \(words) '\(url)' 2>&1")
    let text = String(decoding: output, as: UTF8.self)
    #expect(status == 0, "\(text)")
    return text
  }

  /// The URL of a database.
  public func url(_ name: String) -> String { "postgres://fob@/\(name)?host=\(folder)" }

  private func program(_ name: String, _ arguments: String) throws {
    try Self.run("\(Self.user)\(Self.path(of: name)) \(arguments)")
  }

  private static func path(of name: String) throws -> String {
    let folders = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")
    let newest = folders.compactMap { Int($0) }.max()
    let version = try #require(newest, "install postgresql")
    return "/usr/lib/postgresql/\(version)/bin/\(name)"
  }

  private static func run(_ command: String) throws {
    let (status, output) = try Shell.run("cd / && \(command) 2>&1")
    #expect(status == 0, "\(command): \(String(decoding: output, as: UTF8.self))")
  }
}
