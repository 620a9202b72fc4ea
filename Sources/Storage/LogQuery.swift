import AlertCore
import GRDB

/// Reads log entries in their order.
struct LogQuery {
  private let db: Database
  private let rows: AccountRows

  init(_ db: Database, _ account: AccountNumber) {
    self.db = db
    rows = AccountRows(account: account)
  }

  /// The columns of an entry. Its id is its number within the account. Facts that a disk fault has
  /// made unreadable count as missing: they are passed on unparsed, and would make the whole answer
  /// invalid.
  static let columns = """
    \(AccountRows.number), wall, name, incident, device, event, contact, who, sink, next_wall,
    detail,
    CASE WHEN json_valid(facts) THEN facts END AS facts
    """

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
    let lines = try Row.fetchAll(
      db.cachedStatement(
        sql: "SELECT \(Self.columns) FROM log WHERE \(rule) ORDER BY log.id \(order) LIMIT ?"),
      arguments: arguments + [max(0, search.limit)]
    ).map { try LogEntry($0) }
    return search.before == nil ? lines : lines.reversed()
  }

  private func rule(of search: LogSearch) -> (String, StatementArguments) {
    var rules = ["log.id > ?", "log.id <= ?"]
    var arguments: StatementArguments = [rows.id(search.after), rows.ids.upperBound]
    func want(_ rule: String, _ values: (any DatabaseValueConvertible)?...) {
      guard values.allSatisfy({ $0 != nil }) else { return }
      rules.append(rule)
      arguments += StatementArguments(values.compactMap { $0 })
    }
    want("log.id < ?", search.before.map { rows.id($0) })
    want("incident = ?", search.filter.incident)
    want(
      """
      (device = ? OR device IS NULL AND incident IS NOT NULL AND EXISTS (
        SELECT 1 FROM log AS earlier WHERE earlier.incident = log.incident
          AND earlier.device = ? AND earlier.id < log.id AND earlier.id >= ?))
      """, search.filter.device, search.filter.device,
      search.filter.device.map { _ in rows.ids.lowerBound })
    want("name = ?", search.name)
    want("contact = ?", search.contact)
    want("wall >= ?", search.since)
    want("wall < ?", search.until)
    want(
      "\(Self.words) LIKE ? ESCAPE '\\'", search.text.map { "%\(Self.escaped($0))%" })
    return (rules.joined(separator: " AND "), arguments)
  }

  /// All that an entry says, a line for each of its texts.
  private static let words = [
    "name", "detail", "who", "sink", "contact", "device", "event", "incident",
  ].map { "ifnull(\($0), '')" }.joined(separator: " || char(10) || ")

  /// For LIKE: no letter of a search means another.
  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { escaped, letter in
      if "\\%_".contains(letter) { escaped.append("\\") }
      escaped.append(letter)
    }
  }

  func lastID() throws -> Int64 {
    try Int64.fetchOne(
      db, sql: "SELECT IFNULL(MAX(id), 0) & ? FROM log WHERE id BETWEEN ? AND ?",
      arguments: [AccountRows.last, rows.ids.lowerBound, rows.ids.upperBound])!
  }
}
