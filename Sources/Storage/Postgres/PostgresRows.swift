import AlertCore
import Synchronization

/// Where PostgreSQL's SQL differs. Bodies are text, not jsonb, which would change their order and
/// spaces: members are taken out of them as they were written.
enum PostgresDialect {
  static let value = SQLDialect(
    facts: "facts",
    like: "ILIKE",
    eraseIncidents: """
      UPDATE incident SET body = \(edited("body", without: ["question", "lastPosition"]))
      WHERE account = ?1
      """,
    eraseNotifications: """
      UPDATE notification SET body = \(edited(
        "body", without: ["position", "question", "lastError"],
        """
        WHEN 'contact' THEN '{"id":' || (value -> 'id')::text || ',"name":'
          || (value -> 'id')::text || ',"address":""}'
        """))
      WHERE account = ?1 AND delivery IN ('delivered', 'withdrawn')
      """,
    eraseRefusals: """
      UPDATE log SET
        detail = replace(
          replace(detail, chr(1) || '0', chr(9216)), \(json("facts")) ->> 'reason', ?3),
        facts = \(edited("facts", without: [], "WHEN 'reason' THEN to_json(?3::text)::text"))
      WHERE id BETWEEN ?1 AND ?2 AND facts IS NOT NULL
        AND \(json("facts")) ->> 'type' IN ('message', 'slot')
        AND \(json("facts")) ->> 'reason' <> ''
      """)

  /// PostgreSQL reads no JSON with U+0000 in a text: its symbol, U+2400, stands for it then.
  private static func json(_ column: String) -> String {
    #"replace(\#(column), '\u0000', '\u2400')::json"#
  }

  /// An object with its members in their order, each as it was written.
  /// - Parameter cases: of members that are to be otherwise.
  private static func edited(
    _ column: String, without names: [String], _ cases: String = ""
  ) -> String {
    let text = cases.isEmpty ? "value::text" : "CASE key \(cases) ELSE value::text END"
    let removed = names.map { "'\($0)'" }.joined(separator: ", ")
    let rule = names.isEmpty ? "" : "WHERE key NOT IN (\(removed))"
    return """
      (SELECT '{' || COALESCE(string_agg(to_json(key)::text || ':' || \(text), ',' ORDER BY place),
          '') || '}'
        FROM json_each(\(json(column))) WITH ORDINALITY AS members (key, value, place) \(rule))
      """
  }
}

/// Reads by one connection.
struct PostgresSnapshot: RowSource {
  static var dialect: SQLDialect { PostgresDialect.value }
  let connection: PostgresConnection

  func each(
    _ sql: String, _ values: [ColumnValue], _ body: (StoredRow) throws -> Void
  ) throws {
    try connection.exchange([PostgresCommand(sql: sql, values: values)], body)
  }
}

/// The statements of one transaction, which go out together. What they need to know is known, or is
/// asked before: between that and the transaction nobody else writes, by the fence.
final class PostgresBatch: RowTarget {
  static var dialect: SQLDialect { PostgresDialect.value }
  private let connection: PostgresConnection
  private(set) var commands: [PostgresCommand] = []
  /// What the last command was made of: the statement of one row, and how many rows.
  private var last = (sql: "", rows: 0)
  private let known: PostgresNumbers
  /// What is known once the batch is durable, of the accounts that are in it.
  var given = PostgresNumbers()

  init(by connection: PostgresConnection, _ known: PostgresNumbers) {
    self.connection = connection
    self.known = known
  }

  func each(
    _ sql: String, _ values: [ColumnValue], _ body: (StoredRow) throws -> Void
  ) throws {
    try PostgresSnapshot(connection: connection).each(sql, values, body)
  }

  /// New rows that come one after the other go by one statement.
  func writeRow(_ sql: String, _ values: [ColumnValue]) {
    guard sql == last.sql, let before = commands.last,
      let inserts = RowInserts.statement(sql, columns: values.count, rows: last.rows + 1)
    else {
      commands.append(PostgresCommand(sql: sql, values: values))
      last = (sql, 1)
      return
    }
    commands[commands.count - 1] = PostgresCommand(sql: inserts, values: before.values + values)
    last.rows += 1
  }

  func newestID(in table: NumberedTable, of rows: AccountRows) throws -> Int64 {
    if let known = known[table, rows.account] { return known }
    return try number(
      "SELECT MAX(id) FROM \(table.rawValue) WHERE id BETWEEN ? AND ?",
      [.integer(rows.ids.lowerBound), .integer(rows.ids.upperBound)]) ?? rows.id(0)
  }

  /// To ask would be a round trip: where it is not known all are written again, which changes none.
  func storedEntries(of list: IncidentList, of incident: String, _ rows: AccountRows) -> Int {
    given.entries(in: list, of: incident, rows.account)
      ?? known.entries(in: list, of: incident, rows.account) ?? 0
  }

  func hasEntries(
    _ count: Int, in list: IncidentList, of incident: String, _ rows: AccountRows
  ) {
    given.hasEntries(count, in: list, of: incident, rows.account)
  }

  func openingLog(_ body: () throws -> Void) throws {
    let setting = "SELECT set_config('fob.log', ?, true)"
    writeRow(setting, [.string("open")])
    try body()
    writeRow(setting, [.string("")])
  }
}

/// New rows of a table by one statement: the server takes longer for a statement than for a row.
enum RowInserts {
  /// Each number of rows is a statement of its own, which the server prepares once.
  static let most = 16

  private struct Form: Hashable {
    let sql: String
    let rows: Int
  }

  /// Nil: there is none.
  private static let known = Mutex<[Form: String?]>([:])

  /// - Parameter sql: inserts one row.
  /// - Returns: nil where each row needs a statement: too many rows, no insertion, or one that
  ///   replaces what is there, which no statement does twice with a row.
  static func statement(_ sql: String, columns: Int, rows: Int) -> String? {
    guard rows <= most else { return nil }
    let form = Form(sql: sql, rows: rows)
    return known.withLock { known in
      if let made = known[form] { return made }
      let made = make(sql, columns, rows)
      known[form] = .some(made)
      return made
    }
  }

  private static func make(_ sql: String, _ columns: Int, _ rows: Int) -> String? {
    let row = "(" + Array(repeating: "?", count: columns).joined(separator: ", ") + ")"
    guard sql.hasPrefix("INSERT INTO "), !sql.contains("DO UPDATE"),
      let place = sql.firstRange(of: "VALUES " + row)
    else { return nil }
    let all = Array(repeating: row, count: rows).joined(separator: ", ")
    return sql[..<place.lowerBound] + "VALUES " + all + sql[place.upperBound...]
  }
}

/// What a batch has to know of the rows that are there, as this core has written them: the greatest
/// ids of accounts, in which a sequence of the server's would leave gaps, and how many entries the
/// lists of each account's last incident have.
struct PostgresNumbers {
  private struct Key: Hashable {
    let table: NumberedTable
    let account: AccountNumber
  }

  private struct Lists {
    let incident: String
    var entries: [IncidentList: Int] = [:]
  }

  private var ids: [Key: Int64] = [:]
  private var lists: [AccountNumber: Lists] = [:]

  /// Nil: to be asked for.
  subscript(table: NumberedTable, account: AccountNumber) -> Int64? {
    get { ids[Key(table: table, account: account)] }
    set { ids[Key(table: table, account: account)] = newValue }
  }

  /// Nil: it is not known.
  func entries(in list: IncidentList, of incident: String, _ account: AccountNumber) -> Int? {
    guard let lists = lists[account], lists.incident == incident else { return nil }
    return lists.entries[list]
  }

  mutating func hasEntries(
    _ count: Int, in list: IncidentList, of incident: String, _ account: AccountNumber
  ) {
    if lists[account]?.incident != incident { lists[account] = Lists(incident: incident) }
    lists[account]!.entries[list] = count
  }

  /// All entries are written again, in case that a server has come which lacks some.
  mutating func forgetEntries() { lists = [:] }

  /// Takes over what a batch of the account has given.
  mutating func take(_ given: NextNumbers, of account: AccountNumber) {
    for table in NumberedTable.allCases {
      if let next = given[table] { self[table, account] = next - 1 }
    }
  }

  /// Takes over what is known with a batch.
  mutating func take(_ given: PostgresNumbers) {
    ids.merge(given.ids) { $1 }
    lists.merge(given.lists) { $1 }
  }
}
