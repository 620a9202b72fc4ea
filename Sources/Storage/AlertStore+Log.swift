public import AlertCore
import Foundation

/// Reads the log from a snapshot: no commit waits for a read.
extension AlertStore {
  /// Reads the entries with an id above `after` that match, oldest first, at most `limit`.
  public func log(
    after: Int64, limit: Int, device: String? = nil, incident: String? = nil
  ) throws -> [LogEntry] {
    try log(LogSearch(LogFilter(device: device, incident: incident), after: after, limit: limit))
  }

  /// Reads the entries that are found, oldest first.
  public func log(_ search: LogSearch) throws -> [LogEntry] {
    try reading("read the log from") { db in try LogQuery(db, number).lines(search) }
  }

  /// Reads the same and how far it has looked. The reads are done one at a time, on a thread of the
  /// store.
  ///
  /// GRDB's own async read holds a connection until its task goes on. If reads that wait for a
  /// connection held every task thread, no task could go on.
  public func page(after: Int64, limit: Int, _ filter: LogFilter) async throws -> LogPage {
    try await withCheckedThrowingContinuation { continuation in
      engine.pages.async { [self] in
        continuation.resume(
          with: Result {
            try reading("read the log from") { db in
              try LogQuery(db, number).page(after: after, limit: limit, filter)
            }
          })
      }
    }
  }

  /// The id of the newest log entry; 0 for an empty log.
  public func lastLogID() throws -> Int64 {
    try reading("read the log from") { db in try LogQuery(db, number).lastID() }
  }

  /// The devices that log entries name with this incident, each with the id of the first such
  /// entry.
  public func devices(of incident: String) throws -> [String: Int64] {
    try reading("read the log from") { db in
      let found = try db.rows(
        """
        SELECT device, MIN(id) FROM log
        WHERE incident = ? AND device IS NOT NULL AND id BETWEEN ? AND ? GROUP BY device
        """,
        [.string(incident), .integer(rows.ids.lowerBound), .integer(rows.ids.upperBound)])
      return try Dictionary(
        found.map { (try $0.text(0), AccountRows.number(of: try $0.number(1))) }
      ) { first, _ in first }
    }
  }

  /// Reads incidents, the newest first.
  /// - Parameters:
  ///   - limit: the most that are read; none if it is negative.
  ///   - before: the last incident of the page before; nil for the first page. An incident that
  ///     does not exist gives an empty page.
  public func incidents(limit: Int, before: IncidentID? = nil) throws -> [Incident] {
    try reading("read incidents from") { db in
      let reader = StateReader(db, number)
      let rule =
        before == nil
        ? ""
        : """
         AND (opened_wall, id)
          < (SELECT opened_wall, id FROM incident WHERE account = ?1 AND id = ?)
        """
      var values = [whose]
      if let before { values.append(.string(before.description)) }
      values.append(.number(max(0, limit)))
      return try db.texts(
        """
        SELECT body FROM incident WHERE account = ?1\(rule)
        ORDER BY opened_wall DESC, id DESC LIMIT ?
        """, values
      ).map { try reader.incident($0) }
    }
  }

  /// One incident as it is last; nil for one that does not exist.
  public func incident(_ id: IncidentID) throws -> Incident? {
    try reading("read incident \(id) from") {
      try StateReader($0, number).incident("id = ?", .string(id.description))
    }
  }

  /// One incident as it is last, and everything that is kept of it, both of one moment; nil for an
  /// incident that does not exist.
  public func record(
    of incident: IncidentID
  ) throws -> (incident: Incident, document: IncidentDocument)? {
    try reading("read incident \(incident) from") { db in
      let name = ColumnValue.string(incident.description)
      guard let last = try StateReader(db, number).incident("id = ?", name),
        let document = try IncidentDocumentReader(db, number).document(of: incident)
      else { return nil }
      return (last, document)
    }
  }

  /// Everything that is kept of one incident; nil for an incident that does not exist.
  public func document(of incident: IncidentID) throws -> IncidentDocument? {
    try reading("read incident \(incident) from") { db in
      try IncidentDocumentReader(db, number).document(of: incident)
    }
  }
}
