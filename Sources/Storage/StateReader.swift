import AlertCore
import FobBase
import struct Foundation.Data
import GRDB
import WireProtocol

/// Reads what an earlier run left.
struct StateReader {
  private let db: Database

  init(_ db: Database) { self.db = db }

  func read() throws -> StoredState {
    StoredState(
      current: try incident(
        "state <> ? ORDER BY opened_wall DESC", [EmergencyState.noEmergency.rawValue]),
      lastDisarmed: try incident(
        "end_reason = ? ORDER BY ended_wall DESC", [EndReason.disarmed.rawValue]),
      notifications: try notifications(),
      identities: try identities())
  }

  private func incident(_ rule: String, _ arguments: StatementArguments) throws -> Incident? {
    try String.fetchOne(
      db, sql: "SELECT body FROM incident WHERE \(rule) LIMIT 1", arguments: arguments
    ).map { try JSON.decode($0) }
  }

  private func notifications() throws -> [Notification] {
    try String.fetchAll(
      db, sql: "SELECT body FROM notification WHERE delivery NOT IN ('delivered', 'withdrawn')"
    ).map { try JSON.decode($0) }
  }

  /// Oldest first, at most as many as the core mirrors.
  private func identities() throws -> [EventIdentity] {
    let newest = try Row.fetchAll(
      db, sql: "SELECT substr(payload, 1, 29) AS frozen FROM event ORDER BY id DESC LIMIT ?",
      arguments: [Limits.knownEvents])
    return newest.reversed().compactMap { row in
      let frozen: Data = row["frozen"]
      guard frozen.count == EventIdentity.size else { return nil }
      return frozen.withUnsafeBytes { EventIdentity($0) }
    }
  }
}
