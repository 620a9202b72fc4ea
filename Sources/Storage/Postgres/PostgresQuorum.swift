/// On how many servers a batch is when its COMMIT is answered, by the setting
/// `synchronous_standby_names`
/// (https://www.postgresql.org/docs/15/runtime-config-replication.html): the one that takes writes,
/// and the standbys that it waits for. Without `fsync` it is on none.
enum PostgresQuorum {
  /// What tells it, as the last two of three columns.
  static let columns = "current_setting('synchronous_standby_names'), current_setting('fsync')"
  static let question = PostgresCommand(sql: "SELECT ''::text, \(columns)")

  /// - Parameter row: three columns, of which the last two are `columns`.
  static func servers(_ row: StoredRow) throws -> Int {
    try row.text(2) == "on" ? servers(row.text(1)) : 0
  }

  /// - Parameter names: `FIRST 1 (a, b)`, `ANY 2 (*)`, `2 (a, b, c)`, `a, b`, which waits for one,
  ///   or nothing.
  static func servers(_ names: String) -> Int {
    let text = names.drop(while: \.isWhitespace)
    if text.isEmpty { return 1 }
    let rest = text.prefix { $0 != "(" }
    guard rest.endIndex < text.endIndex else { return 2 }
    let words = rest.split(whereSeparator: \.isWhitespace)
    guard words.count == 1 || ["first", "any"].contains(words.first?.lowercased()),
      words.count <= 2, let count = words.last.flatMap({ Int($0) }), count > 0
    else { return 2 }
    return 1 + min(count, 1_000)
  }

  /// Where a commit is when it returns, and what that is worth, as a clause.
  static func words(_ servers: Int) -> String {
    switch servers {
    case 0: "on no server's disk: nothing survives a crash, since the server has fsync = off"
    case 1: "on one server's disk: nothing survives its loss"
    case 2: "on two servers' disks: all survives the loss of one"
    default: "on \(servers) servers' disks: all survives the loss of \(servers - 1)"
    }
  }
}
