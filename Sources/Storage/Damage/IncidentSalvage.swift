import AlertCore
import GRDB

/// Makes incidents anew whose rows are lost, from presses, messages and log entries that name them.
struct IncidentSalvage {
  private let db: Database
  private let now: Int64

  init(_ db: Database, _ now: Int64) {
    self.db = db
    self.now = now
  }

  /// - Returns: the incidents that are open or may be: of an account at most one, its newest.
  func raise() throws -> [StoredIncident] {
    let lost = try StoredIncident.fetchAll(
      db,
      sql: """
        SELECT account, incident AS id, MIN(wall) AS opened FROM (
          SELECT \(AccountRows.account) AS account, incident, received_wall AS wall
          FROM event WHERE incident IS NOT NULL
          UNION ALL SELECT \(AccountRows.account) AS account, incident, wall FROM log
          WHERE incident IS NOT NULL)
        WHERE (account, incident) NOT IN (SELECT account, id FROM incident)
        GROUP BY account, incident ORDER BY opened DESC
        """)
    return try Dictionary(grouping: lost, by: \.account).sorted { $0.key < $1.key }
      .flatMap { try raise($0.value) }
  }

  /// - Parameter lost: of one account, the newest first.
  private func raise(_ lost: [StoredIncident]) throws -> [StoredIncident] {
    var raised: [StoredIncident] = []
    for (index, name) in lost.enumerated() {
      guard let id = IncidentID(name.id) else { continue }
      let state = try lastState(of: name)
      // Without a log entry that says so, only the newest incident is taken to be open.
      let mayBeOpen = try index == 0 && isNewest(name)
      let isOpen = state?.isOpen ?? mayBeOpen
      let incident = Incident(
        salvaged: id, isOpen: isOpen && raised.isEmpty,
        openedWall: try opened(name), messages: try messages(of: name))
      if incident.state.isOpen { raised.append(name) }
      try db.execute(
        sql: "INSERT INTO incident (account, id, state, opened_wall, body) VALUES (?, ?, ?, ?, ?)",
        arguments: [
          name.account, name.id, incident.state.rawValue, incident.openedAt.wall,
          try JSON.encode(incident),
        ])
    }
    return raised
  }

  /// Removes an incident that is open in the backup if the log says that it is over.
  func forget(_ name: StoredIncident) throws -> Bool {
    guard let state = try lastState(of: name), !state.isOpen else { return false }
    try db.execute(
      sql: "DELETE FROM incident WHERE account = ? AND id = ?", arguments: [name.account, name.id])
    return true
  }

  /// The state that the last log entry about it names; nil if there is none.
  private func lastState(of name: StoredIncident) throws -> EmergencyState? {
    let line = try db.rows(
      """
      SELECT \(LogQuery.columns(db.dialect)) FROM log
      WHERE incident = ? AND name = ? AND \(AccountRows.account) = ?
      ORDER BY log.id DESC LIMIT 1
      """,
      [
        .string(name.id), .string(AuditEvent.Name.stateChanged.rawValue), .number(name.account),
      ]
    ).first.map { try LogEntry($0) }
    guard case .became(let transition)? = line?.facts?.read?.reason else { return nil }
    return transition.to
  }

  private func isNewest(_ name: StoredIncident) throws -> Bool {
    let newest =
      try Int64.fetchOne(
        db, sql: "SELECT MAX(opened_wall) FROM incident WHERE account = ?",
        arguments: [name.account]) ?? .min
    return try opened(name) >= newest
  }

  private func opened(_ name: StoredIncident) throws -> Int64 {
    try Int64.fetchOne(
      db,
      sql: """
        SELECT MIN(wall) FROM (
          SELECT id, received_wall AS wall FROM event WHERE incident = ?1
          UNION ALL SELECT id, wall FROM log WHERE incident = ?1)
        WHERE \(AccountRows.account) = ?2
        """, arguments: [name.id, name.account]) ?? now
  }

  /// The greatest sequence number of its known messages.
  private func messages(of name: StoredIncident) throws -> Int {
    let keys = try String.fetchAll(
      db, sql: "SELECT key FROM notification WHERE account = ? AND key >= ? AND key < ?",
      arguments: [name.account, "\(name.id)/", "\(name.id)0"])
    return keys.compactMap { $0.split(separator: "/").last.flatMap { Int($0) } }.max() ?? 0
  }
}
