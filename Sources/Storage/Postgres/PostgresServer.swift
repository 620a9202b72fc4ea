import CPostgres
import Foundation

/// A server that is named by a URL, `postgres://USER@HOST[:PORT][,HOST…]/DATABASE[?OPTION=VALUE…]`,
/// as libpq reads it.
public struct PostgresServer: Sendable {
  /// As it was given; it has no password.
  public let url: String
  /// On how many servers a batch must be before it counts, at least 1: with fewer nothing is
  /// durable.
  public var quorum = 1

  /// Loads libpq.
  /// - Throws: `StorageFailure` where libpq is missing, cannot read the URL, or finds a password in
  ///   it, which every user of this host could see.
  public init(_ url: String) throws {
    self.url = url
    guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
      throw StorageFailure("use", path: url, reason: "it does not begin with postgres://")
    }
    if let obstacle = cpg_load() {
      throw StorageFailure(
        "open", path: url, reason: String(cString: obstacle), remedy: "apt-get install libpq5")
    }
    var error: UnsafeMutablePointer<CChar>?
    let password = cpg_option(url, "password", &error)
    defer {
      free(password)
      free(error)
    }
    if let error {
      let words = String(cString: error).trimmingCharacters(in: .whitespacesAndNewlines)
      throw StorageFailure("use", path: url, reason: words)
    }
    guard password == nil else {
      throw StorageFailure(
        "use", path: "the URL of --store", reason: "it has a password, which other users can see",
        remedy: "put it into ~/.pgpass, or into a file that ?passfile= names")
    }
  }

  /// A connection whose commits are durable when they return: on the server's disk, and on the
  /// standbys that it waits for.
  /// - Throws: `PostgresError`; `StorageFailure` where the server does not flush its log.
  func connect() throws -> PostgresConnection {
    let connection = try PostgresConnection(url)
    let settings = [
      ("tcp_user_timeout", "10000"), ("tcp_keepalives_idle", "5"), ("tcp_keepalives_interval", "2"),
      ("tcp_keepalives_count", "3"), ("lock_timeout", "8000"),
      ("idle_in_transaction_session_timeout", "60000"),
    ].map { "set_config('\($0)', '\($1)', false)" }
    let rows = try PostgresSnapshot(connection: connection).rows(
      """
      SELECT current_setting('fsync'), set_config('synchronous_commit',
          CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply'
          ELSE 'on' END, false), \(settings.joined(separator: ", "))
      """)
    guard try rows.first?.text(0) == "on" else {
      throw StorageFailure(
        "use", path: url, reason: "the server does not keep fsync = on, so that no commit lasts",
        remedy: "set fsync = on in its postgresql.conf")
    }
    return connection
  }
}

extension StorageFailure {
  init(_ operation: String, path: String, _ error: PostgresError) {
    self.init(
      operation, path: path, reason: error.description,
      remedy: {
        switch error {
        case .refused("FB001", _): "end one of the two cores"
        case .refused("53100", _): "free some space on the server's disk"
        case .refused("42501", _): "make this role the owner of the database"
        case .refused("55P03", _): "end the transaction that holds the store's rows"
        case .refused: nil
        case .lost: "look whether the server and its standbys are up: fob asks again"
        case .unreachable:
          "look at the URL, at pg_hba.conf and ~/.pgpass, and whether the server is up"
        }
      }())
    isOfServer = true
  }
}
