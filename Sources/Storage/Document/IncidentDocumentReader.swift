import AlertCore
import FobBase
import GRDB
import WireProtocol

import struct Foundation.Data

/// Gathers what is kept of one incident from its tables.
struct IncidentDocumentReader {
  private let db: Database
  private let account: AccountNumber
  private var rows: ClosedRange<Int64> { AccountRows(account: account).ids }

  init(_ db: Database, _ account: AccountNumber) {
    self.db = db
    self.account = account
  }

  func document(of id: IncidentID) throws -> IncidentDocument? {
    guard
      let body = try String.fetchOne(
        db, sql: "SELECT body FROM incident WHERE account = ? AND id = ?",
        arguments: [account.rawValue, id.description])
    else { return nil }
    let incident = try StateReader(db, account).incident(body)
    let log = try Row.fetchAll(
      db,
      sql: """
        SELECT \(LogQuery.columns) FROM log WHERE incident = ? AND log.id BETWEEN ? AND ?
        ORDER BY log.id
        """, arguments: [id.description, rows.lowerBound, rows.upperBound]
    ).map { IncidentDocument.Line(try LogEntry($0)) }
    return IncidentDocument(
      incident, presses: try presses(of: incident),
      notifications: try notifications(of: id).map { NotificationDocument($0, log: log) },
      track: try track(of: id), log: log)
  }

  /// Their keys begin with the incident's name and "/"; "0" is the character after "/".
  private func notifications(of id: IncidentID) throws -> [Notification] {
    try String.fetchAll(
      db, sql: "SELECT body FROM notification WHERE account = ? AND key >= ? AND key < ?",
      arguments: [account.rawValue, "\(id)/", "\(id)0"]
    ).map { body -> Notification in try JSON.decode(body) }
      .sorted { ($0.sequence, $0.contact.id, $0.key) < ($1.sequence, $1.contact.id, $1.key) }
  }

  private struct TrackRow: Decodable, FetchableRecord {
    let wall: Int64
    let latitude: Int32
    let longitude: Int32
    let quality: UInt8
  }

  private func track(of id: IncidentID) throws -> [IncidentDocument.Fix] {
    try TrackRow.fetchAll(
      db,
      sql: """
        SELECT wall, latitude, longitude, quality FROM track
        WHERE incident = ? AND id BETWEEN ? AND ? ORDER BY id
        """, arguments: [id.description, rows.lowerBound, rows.upperBound]
    ).map {
      IncidentDocument.Fix(
        at: WallTime($0.wall), latitude: $0.latitude, longitude: $0.longitude, quality: $0.quality)
    }
  }

  fileprivate struct EventRow: Decodable, FetchableRecord {
    let device: Int64
    let number: Int64
    let payload: Data
    let meaning: String
    let received_wall: Int64
    let happened_at: Int64?

    var name: Name {
      Name(
        device: DeviceID(rawValue: UInt64(bitPattern: device)).text,
        event: EventNumber(rawValue: UInt64(bitPattern: number)).text)
    }

    /// - Returns: nil if the payload is too short for an event.
    var record: EventRecord? {
      guard payload.count >= EventRecord.size else { return nil }
      return payload.withUnsafeBytes { EventRecord($0) }
    }
  }

  fileprivate struct Name: Hashable {
    let device: String
    let event: String
  }

  /// The incident's entries, then the events that are only counted.
  private func presses(of incident: Incident) throws -> [PressDocument] {
    let rows = try EventRow.fetchAll(
      db,
      sql: """
        SELECT device, number, payload, meaning, received_wall, happened_at FROM event
        WHERE incident = ? AND id BETWEEN ? AND ? ORDER BY id
        """, arguments: [incident.id.description, self.rows.lowerBound, self.rows.upperBound])
    var left = Dictionary(rows.map { ($0.name, $0) }) { first, _ in first }
    let listed = incident.presses.map { entry in
      PressDocument(
        entry, left.removeValue(forKey: Name(device: entry.device, event: entry.event)))
    }
    return listed + rows.filter { left[$0.name] != nil }.map { PressDocument($0) }
  }
}

extension PressDocument {
  fileprivate init(_ entry: PressEntry, _ row: IncidentDocumentReader.EventRow?) {
    event = entry.event
    device = entry.device
    received = WallTime(entry.receivedAt)
    covers = entry.covers
    isAgeUnknown = entry.isAgeUnknown ?? false
    isSetAside = entry.isSetAside
    isProved = entry.isProved
    record = row.flatMap { row in
      row.record.map { Record($0, meaning: row.meaning, happenedAt: row.happened_at) }
    }
  }

  fileprivate init(_ row: IncidentDocumentReader.EventRow) {
    event = row.name.event
    device = row.name.device
    received = WallTime(row.received_wall)
    record = row.record.map { Record($0, meaning: row.meaning, happenedAt: row.happened_at) }
    covers = max(1, Int(row.record?.covered ?? 1))
    isAgeUnknown = false
    isSetAside = nil
    isProved = nil
  }
}
