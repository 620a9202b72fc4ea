import AlertCore

/// Reads log entries in their order.
struct LogQuery {
  private let db: any RowSource
  private let rows: AccountRows

  init(_ db: any RowSource, _ account: AccountNumber) {
    self.db = db
    rows = AccountRows(account: account)
  }

  /// The columns of an entry. Its id is its number within the account.
  static func columns(_ dialect: SQLDialect) -> String {
    """
    \(AccountRows.number), wall, name, incident, device, event, contact, who, sink, next_wall,
    detail, \(dialect.facts)
    """
  }

  func page(after: Int64, limit: Int, _ filter: LogFilter) throws -> LogPage {
    // Asked first, so that no entry up to `last` is missed.
    let last = try lastID()
    let lines = try lines(LogSearch(filter, after: after, limit: limit))
    return LogPage(
      lines: lines, end: lines.count < limit ? max(after, last) : lines.last?.id ?? after)
  }

  /// The entries that are found, oldest first.
  func lines(_ search: LogSearch) throws -> [LogEntry] {
    let (rule, arguments) = rule(of: search)
    let order = search.before == nil ? "ASC" : "DESC"
    let columns = Self.columns(db.dialect)
    let lines = try db.rows(
      "SELECT \(columns) FROM log WHERE \(rule) ORDER BY log.id \(order) LIMIT ?",
      arguments + [.number(max(0, search.limit))]
    ).map { try LogEntry($0) }
    return search.before == nil ? lines : lines.reversed()
  }

  private func rule(of search: LogSearch) -> (String, [ColumnValue]) {
    var rules = ["log.id > ?", "log.id <= ?"]
    var arguments: [ColumnValue] = [
      .integer(rows.id(search.after)), .integer(rows.ids.upperBound),
    ]
    func want(_ rule: String, _ values: ColumnValue...) {
      guard !values.contains(.null) else { return }
      rules.append(rule)
      arguments += values
    }
    want("log.id < ?", .number(search.before.map { rows.id($0) }))
    want("incident = ?", .text(search.filter.incident))
    want(
      """
      (device = ? OR device IS NULL AND incident IS NOT NULL AND EXISTS (
        SELECT 1 FROM log AS earlier WHERE earlier.incident = log.incident
          AND earlier.device = ? AND earlier.id < log.id AND earlier.id >= ?))
      """, .text(search.filter.device), .text(search.filter.device),
      .integer(rows.ids.lowerBound))
    want("name = ?", .text(search.name))
    want("contact = ?", .text(search.contact))
    want("wall >= ?", .number(search.since))
    want("wall < ?", .number(search.until))
    want(
      "(\(Self.words)) \(db.dialect.like) ? ESCAPE '\\'",
      .text(search.text.map { "%\(Self.escaped($0))%" }))
    return (rules.joined(separator: " AND "), arguments)
  }

  /// All that an entry says, a line for each of its texts.
  private static let words = [
    "name", "detail", "who", "sink", "contact", "device", "event", "incident",
  ].map { "COALESCE(\($0), '')" }.joined(separator: " || '\n' || ")

  /// For LIKE: no letter of a search means another.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, letter in
      if "\\%_".contains(letter) { escaped.append("\\") }
      escaped.append(letter)
    }
  }

  func lastID() throws -> Int64 {
    AccountRows.number(
      of: try db.number(
        "SELECT MAX(id) FROM log WHERE id BETWEEN ? AND ?",
        [.integer(rows.ids.lowerBound), .integer(rows.ids.upperBound)]) ?? 0)
  }
}
