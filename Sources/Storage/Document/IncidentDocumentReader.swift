import AlertCore
import FobBase
import WireProtocol

/// Gathers what is kept of one incident from its tables.
struct IncidentDocumentReader {
  private let db: any RowSource
  private let account: AccountNumber
  private var whose: ColumnValue { .number(account.rawValue) }
  private var rows: ClosedRange<Int64> { AccountRows(account: account).ids }
  private var range: [ColumnValue] { [.integer(rows.lowerBound), .integer(rows.upperBound)] }

  init(_ db: any RowSource, _ account: AccountNumber) {
    self.db = db
    self.account = account
  }

  func document(of id: IncidentID) throws -> IncidentDocument? {
    guard
      let body = try db.texts(
        "SELECT body FROM incident WHERE account = ? AND id = ?",
        [whose, .string(id.description)]
      ).first
    else { return nil }
    let incident = try StateReader(db, account).incident(body)
    let log = try db.rows(
      """
      SELECT \(LogQuery.columns(db.dialect)) FROM log
      WHERE incident = ? AND log.id BETWEEN ? AND ? ORDER BY log.id
      """, [.string(id.description)] + range
    ).map { IncidentDocument.Line(try LogEntry($0)) }
    return IncidentDocument(
      incident, presses: try presses(of: incident),
      notifications: try notifications(of: id).map { NotificationDocument($0, log: log) },
      track: try track(of: id), log: log)
  }

  /// Their keys begin with the incident's name and "/"; "0" is the character after "/".
  private func notifications(of id: IncidentID) throws -> [Notification] {
    try db.texts(
      "SELECT body FROM notification WHERE account = ? AND key >= ? AND key < ?",
      [whose, .string("\(id)/"), .string("\(id)0")]
    ).map { body -> Notification in try JSON.decode(body) }
      .sorted { ($0.sequence, $0.contact.id, $0.key) < ($1.sequence, $1.contact.id, $1.key) }
  }

  private func track(of id: IncidentID) throws -> [IncidentDocument.Fix] {
    try db.rows(
      """
      SELECT wall, latitude, longitude, quality FROM track
      WHERE incident = ? AND id BETWEEN ? AND ? ORDER BY id
      """, [.string(id.description)] + range
    ).map { row in
      guard let latitude = Int32(exactly: try row.number(1)),
        let longitude = Int32(exactly: try row.number(2)),
        let quality = UInt8(exactly: try row.number(3))
      else { throw StoredRow.Mismatch(column: 1) }
      return IncidentDocument.Fix(
        at: WallTime(try row.number(0)), latitude: latitude, longitude: longitude, quality: quality)
    }
  }

  fileprivate struct EventRow {
    let device: Int64
    let number: Int64
    let payload: [UInt8]
    let meaning: String
    let receivedWall: Int64
    let happenedAt: Int64?

    init(_ row: StoredRow) throws(StoredRow.Mismatch) {
      device = try row.number(0)
      number = try row.number(1)
      payload = try row.bytes(2)
      meaning = try row.text(3)
      receivedWall = try row.number(4)
      happenedAt = row.maybeNumber(5)
    }

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
    let rows = try db.rows(
      """
      SELECT device, number, payload, meaning, received_wall, happened_at FROM event
      WHERE incident = ? AND id BETWEEN ? AND ? ORDER BY id
      """, [.string(incident.id.description)] + range
    ).map { try EventRow($0) }
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
      row.record.map { Record($0, meaning: row.meaning, happenedAt: row.happenedAt) }
    }
  }

  fileprivate init(_ row: IncidentDocumentReader.EventRow) {
    event = row.name.event
    device = row.name.device
    received = WallTime(row.receivedWall)
    record = row.record.map { Record($0, meaning: row.meaning, happenedAt: row.happenedAt) }
    covers = max(1, Int(row.record?.covered ?? 1))
    isAgeUnknown = false
    isSetAside = nil
    isProved = nil
  }
}
