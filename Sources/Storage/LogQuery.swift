import AlertCore
import GRDB

/// Reads log entries in their order.
struct LogQuery {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// The columns of an entry. Facts that a disk fault has made unreadable count as missing: they
  /// are passed on unparsed, and would make the whole answer invalid.
  static let columns = """
    id, wall, name, incident, device, event, contact, who, sink, next_wall, detail,
    CASE WHEN json_valid(facts) THEN facts END AS facts
    """

  func page(after: Int64, limit: Int, _ filter: LogFilter) throws -> LogPage {
    // Asked first, so that no entry up to `last` is missed.
    let last = try lastID()
    let lines = try lines(after: after, limit: limit, filter)
    return LogPage(
      lines: lines, end: lines.count < limit ? max(after, last) : lines.last?.id ?? after)
  }

  func lines(after: Int64, limit: Int, _ filter: LogFilter) throws -> [LogEntry] {
    var rule = "id > ?"
    var arguments: StatementArguments = [after]
    if let incident = filter.incident {
      rule += " AND incident = ?"
      arguments += [incident]
    }
    if let device = filter.device {
      rule += """
         AND (device = ? OR device IS NULL AND incident IS NOT NULL AND EXISTS (
          SELECT 1 FROM log AS earlier WHERE earlier.incident = log.incident
            AND earlier.device = ? AND earlier.id < log.id))
        """
      arguments += [device, device]
    }
    arguments += [max(0, limit)]
    return try Row.fetchAll(
      db.cachedStatement(
        sql: "SELECT \(Self.columns) FROM log WHERE \(rule) ORDER BY id LIMIT ?"),
      arguments: arguments
    ).map { try LogEntry($0) }
  }

  func lastID() throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT IFNULL(MAX(id), 0) FROM log")!
  }
}
