public import AlertCore
import FobBase
import GRDB
import WireProtocol

/// A part of a list that may be long, and where the next part begins.
public struct StoredPage<Row: Sendable>: Sendable {
  public let rows: [Row]
  /// To be handed in for the next part; nil: this was the last.
  public let next: Int64?

  public init(rows: [Row], next: Int64?) {
    self.rows = rows
    self.next = next
  }
}

/// The lists of the store in parts, oldest first.
extension AlertStore {
  /// Committed presses.
  /// - Parameters:
  ///   - after: `next` of the part before; 0 for the first.
  ///   - limit: rows, at least one.
  public func presses(after: Int64, limit: Int) throws -> StoredPage<StoredPress> {
    try reading("read events from") { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT id, device, number, incident FROM event WHERE kind = ? AND id > ?
          ORDER BY id LIMIT ?
          """, arguments: [EventKind.pressed.rawValue, after, limit + 1])
      let presses = rows.prefix(limit).map { row in
        StoredPress(
          device: DeviceID(rawValue: UInt64(bitPattern: row["device"])).text,
          event: EventNumber(rawValue: UInt64(bitPattern: row["number"])).text,
          incident: row["incident"])
      }
      guard rows.count > limit else { return StoredPage(rows: presses, next: nil) }
      let last: Int64 = rows[limit - 1]["id"]
      return StoredPage(rows: presses, next: last)
    }
  }

  /// Incidents by their opening.
  /// - Parameters:
  ///   - after: `next` of the part before, how many came before it; 0 for the first.
  ///   - limit: rows, at least one.
  public func incidents(after: Int64, limit: Int) throws -> StoredPage<Incident> {
    try reading("read incidents from") { db in
      let reader = StateReader(db)
      let rows = try String.fetchAll(
        db, sql: "SELECT body FROM incident ORDER BY opened_wall, id LIMIT ? OFFSET ?",
        arguments: [limit + 1, after])
      return StoredPage(
        rows: try rows.prefix(limit).map { try reader.incident($0) },
        next: rows.count > limit ? after + Int64(limit) : nil)
    }
  }
}
