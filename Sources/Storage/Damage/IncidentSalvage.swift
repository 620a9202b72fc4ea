import AlertCore
import FobBase
import GRDB

/// Makes incidents anew whose rows are lost, from what else names them: presses, messages, the log.
struct IncidentSalvage {
  private let db: Database
  private let now: Int64

  init(_ db: Database, _ now: Int64) {
    self.db = db
    self.now = now
  }

  /// - Returns: the names of those that are open, or may be: at most one, the newest.
  func raise() throws -> [String] {
    let names = try String.fetchAll(
      db,
      sql: """
        SELECT incident, MIN(wall) AS opened FROM (
          SELECT incident, received_wall AS wall FROM event WHERE incident IS NOT NULL
          UNION ALL SELECT incident, wall FROM log WHERE incident IS NOT NULL)
        WHERE incident NOT IN (SELECT id FROM incident)
        GROUP BY incident ORDER BY opened DESC
        """)
    var raised: [String] = []
    for (index, name) in names.enumerated() {
      guard let id = IncidentID(name) else { continue }
      let state = try lastState(of: name)
      // Nothing says that it is over: only the newest is taken to go on.
      let mayBeOpen = try index == 0 && isNewest(name)
      let isOpen = state?.isOpen ?? mayBeOpen
      let incident = Incident(
        salvaged: id, isOpen: isOpen && raised.isEmpty,
        openedWall: try opened(name), messages: try messages(of: name))
      if incident.state.isOpen { raised.append(name) }
      try db.execute(
        sql: "INSERT INTO incident (id, state, opened_wall, body) VALUES (?, ?, ?, ?)",
        arguments: [
          name, incident.state.rawValue, incident.openedAt.wall, try JSON.encode(incident),
        ])
    }
    return raised
  }

  /// Forgets an incident that the backup has as open, where the log says that it is over.
  func forget(_ name: String) throws -> Bool {
    guard let state = try lastState(of: name), !state.isOpen else { return false }
    try db.execute(sql: "DELETE FROM incident WHERE id = ?", arguments: [name])
    return true
  }

  /// By the last log entry that says so.
  private func lastState(of name: String) throws -> EmergencyState? {
    let line = try Row.fetchOne(
      db,
      sql: """
        SELECT \(LogQuery.columns) FROM log WHERE incident = ? AND name = ? ORDER BY id DESC LIMIT 1
        """, arguments: [name, AuditEvent.Name.stateChanged.rawValue]
    ).map { try LogEntry($0) }
    guard case .became(let transition)? = line?.facts?.read?.reason else { return nil }
    return transition.to
  }

  private func isNewest(_ name: String) throws -> Bool {
    let newest = try Int64.fetchOne(db, sql: "SELECT MAX(opened_wall) FROM incident") ?? .min
    return try opened(name) >= newest
  }

  private func opened(_ name: String) throws -> Int64 {
    try Int64.fetchOne(
      db,
      sql: """
        SELECT MIN(wall) FROM (
          SELECT received_wall AS wall FROM event WHERE incident = ?1
          UNION ALL SELECT wall FROM log WHERE incident = ?1)
        """, arguments: [name]) ?? now
  }

  /// The greatest number that a message of it is known to have.
  private func messages(of name: String) throws -> Int {
    let keys = try String.fetchAll(
      db, sql: "SELECT key FROM notification WHERE key >= ? AND key < ?",
      arguments: ["\(name)/", "\(name)0"])
    return keys.compactMap { $0.split(separator: "/").last.flatMap { Int($0) } }.max() ?? 0
  }
}
