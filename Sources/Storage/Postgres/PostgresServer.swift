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
  /// Where the core that has the store answers, for those that stand by; empty: nowhere.
  public var address = ""

  /// Loads libpq.
  /// - Throws: `StorageFailure` where libpq is missing, cannot read the URL, or finds a password in
  ///   it, which every user of this host could see.
  public init(_ url: String) throws {
    self.url = url
    guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
      throw StorageFailure.ofServer(
        "use", path: url, reason: "it does not begin with postgres://")
    }
    if let obstacle = cpg_load() {
      throw StorageFailure.ofServer(
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
      throw StorageFailure.ofServer("use", path: url, reason: words)
    }
    guard password == nil else {
      throw StorageFailure.ofServer(
        "use", path: "the URL of --store", reason: "it has a password, which other users can see",
        remedy: "put it into ~/.pgpass, or into a file that ?passfile= names")
    }
  }

  /// Of each connection, whatever the role or the database has as its own default. Those that the
  /// server is too old to know are left out. `client_min_messages` has the warning of a commit that
  /// no longer waits for its standby come through.
  private static let settings = [
    "tcp_user_timeout": "10000", "tcp_keepalives_idle": "5", "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3", "lock_timeout": "8000", "statement_timeout": "0",
    "transaction_timeout": "0", "idle_session_timeout": "0",
    "idle_in_transaction_session_timeout": "60000", "bytea_output": "hex",
    "client_min_messages": "warning", "default_transaction_isolation": "read committed",
    "standard_conforming_strings": "on",
  ]

  /// A connection whose commits are durable when they return: on the server's disk, and on the
  /// standbys that it waits for.
  /// - Parameters:
  ///   - name: of the connection, in the server's list.
  ///   - waits: counts the connection's.
  /// - Throws: `PostgresError`; `StorageFailure` where the server does not flush its log, or has no
  ///   UTF-8.
  func connect(
    as name: String = "fob", _ waits: ServerWait = ServerWait()
  ) throws -> PostgresConnection {
    let connection = try PostgresConnection(url, waits)
    let named = Self.settings.merging(["application_name": name]) { $1 }
    let settings = named.sorted { $0.key < $1.key }.map { "('\($0)', '\($1)')" }
    let rows = try PostgresSnapshot(connection: connection).rows(
      """
      SELECT current_setting('fsync'), current_setting('server_encoding'),
        set_config('synchronous_commit',
          CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply'
          ELSE 'on' END, false),
        (SELECT count(set_config(name, value, false))
          FROM (VALUES \(settings.joined(separator: ", "))) AS wanted (name, value)
          JOIN pg_settings USING (name))
      """)
    let row = rows[0]
    guard try row.text(0) == "on" else {
      throw StorageFailure.ofServer(
        "use", path: url, reason: "the server does not keep fsync = on, so that no commit lasts",
        remedy: "set fsync = on in its postgresql.conf")
    }
    let encoding = try row.text(1)
    guard encoding == "UTF8" else {
      throw StorageFailure.ofServer(
        "use", path: url, reason: "the database's encoding is \(encoding), and not UTF8",
        remedy: "make it anew: createdb --encoding=UTF8 --template=template0")
    }
    return connection
  }

  /// - Parameter servers: on which a commit is.
  /// - Throws: `PostgresError.lost` where more are wanted.
  func requireQuorum(_ servers: Int) throws(PostgresError) {
    guard servers < quorum else { return }
    let wanted = quorum == 1 ? "1 server is" : "\(quorum) servers are"
    throw .lost("a commit is \(PostgresQuorum.words(servers)), and \(wanted) wanted")
  }
}

extension StorageFailure {
  /// One that no folder is to blame for.
  static func ofServer(
    _ operation: String, path: String, reason: String, remedy: String? = nil
  ) -> StorageFailure {
    var failure = StorageFailure(operation, path: path, reason: reason, remedy: remedy)
    failure.isOfServer = true
    return failure
  }

  init(_ operation: String, path: String, _ error: PostgresError) {
    self.init(
      operation, path: path, reason: error.description,
      remedy: {
        switch error {
        case .refused(PostgresError.takenOverState, _): "that one decides, and this one ends"
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
