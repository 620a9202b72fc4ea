import AlertCore
import FobBase
import GRDB
import WireProtocol

import struct Foundation.Data

/// Writes one batch inside a transaction.
struct ChangeWriter {
  private let db: Database

  init(_ db: Database) { self.db = db }

  /// - Returns: the ids of the log's new lines, which are in their order; nil where there is none.
  func write(_ changes: Changes) throws -> ClosedRange<Int64>? {
    if let account = changes.account { try write(account) }
    for id in changes.devices.keys.sorted() { try write(changes.devices[id]!, of: id) }
    for event in changes.events { try write(event) }
    for (identity, meaning) in changes.meanings { try write(meaning, of: identity) }
    for incident in changes.incidents.values { try write(incident) }
    for notification in changes.notifications.values { try write(notification) }
    for point in changes.track { try write(point) }
    var ids: ClosedRange<Int64>?
    for happening in changes.log {
      try write(happening)
      let id = db.lastInsertedRowID
      ids = (ids?.lowerBound ?? id)...id
    }
    return ids
  }

  func write(_ account: Account) throws {
    try execute(
      "INSERT OR REPLACE INTO account (id, body) VALUES (1, ?)", [try JSON.encode(account)])
  }

  private func write(_ record: DeviceRecord, of id: DeviceID) throws {
    try execute(
      "INSERT OR REPLACE INTO device (id, body) VALUES (?, ?)",
      [Int64(bitPattern: id.rawValue), try JSON.encode(record)])
  }

  /// The unique key stands behind the core's mirror of it: a row that is there already stays.
  private func write(_ event: CommittedEvent) throws {
    let identity = event.record.identity
    var body = FrameBody(raw: UnsafeRawBufferPointer(start: nil, count: 0))
    event.record.write(to: &body)
    let payload = body.withBytes { Data($0) }
    try execute(
      """
      INSERT INTO event
        (device, number, kind, clock, nonce, payload, meaning, incident, received_wall, happened_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (device, number, kind, clock, nonce) DO NOTHING
      """,
      [
        Int64(bitPattern: identity.deviceID.rawValue), Int64(bitPattern: identity.number.rawValue),
        identity.rawKind, Int64(bitPattern: identity.clock), identity.bootNonce, payload,
        event.meaning.rawValue, event.incident?.description, event.receivedAt.wall,
        event.happenedAt,
      ])
  }

  private func write(_ late: LateMeaning, of identity: EventIdentity) throws {
    try execute(
      """
      UPDATE event SET meaning = ?, incident = ?
      WHERE device = ? AND number = ? AND kind = ? AND clock = ? AND nonce = ?
      """,
      [
        late.meaning.rawValue, late.incident?.description,
        Int64(bitPattern: identity.deviceID.rawValue), Int64(bitPattern: identity.number.rawValue),
        identity.rawKind, Int64(bitPattern: identity.clock), identity.bootNonce,
      ])
  }

  private func write(_ incident: Incident) throws {
    try execute(
      """
      INSERT OR REPLACE INTO incident (id, state, opened_wall, end_reason, ended_wall, body)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        incident.id.description, incident.state.rawValue, incident.openedAt.wall,
        incident.endReason?.rawValue, incident.endedAt?.wall,
        try JSON.encode(incident.withoutLists),
      ])
    try write(incident.presses, as: .press, of: incident.id)
    try write(incident.aliases, as: .alias, of: incident.id)
  }

  /// Entries are only ever added: those that are there already stay as they are.
  private func write(
    _ entries: [some Encodable], as list: IncidentList, of incident: IncidentID
  ) throws {
    let name = incident.description
    var known = try Int.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT IFNULL(MAX(position) + 1, 0) FROM incident_list WHERE incident = ? AND list = ?
          """), arguments: [name, list.rawValue])!
    if known > entries.count {
      try execute(
        "DELETE FROM incident_list WHERE incident = ? AND list = ?", [name, list.rawValue])
      known = 0
    }
    for position in known..<entries.count {
      try execute(
        "INSERT INTO incident_list (incident, list, position, body) VALUES (?, ?, ?, ?)",
        [name, list.rawValue, position, try JSON.encode(entries[position])])
    }
  }

  private func write(_ notification: Notification) throws {
    try execute(
      "INSERT OR REPLACE INTO notification (key, incident, delivery, body) VALUES (?, ?, ?, ?)",
      [
        notification.key, notification.incident.description, notification.delivery.rawValue,
        try JSON.encode(notification),
      ])
  }

  private func write(_ point: TrackPoint) throws {
    try execute(
      """
      INSERT INTO track (incident, wall, latitude, longitude, quality) VALUES (?, ?, ?, ?, ?)
      """,
      [
        point.incident.description, point.position.wall, point.position.latitude,
        point.position.longitude, point.position.quality,
      ])
  }

  private func write(_ happening: Happening) throws {
    try execute(
      """
      INSERT INTO log (wall, name, incident, device, event, contact, who, sink, next_wall, detail)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        happening.at.wall, happening.name.rawValue, happening.incident?.description,
        happening.device, happening.event, happening.contact, happening.who, happening.sink,
        happening.nextWall, happening.detail,
      ])
  }

  private func execute(_ sql: String, _ arguments: StatementArguments) throws {
    try db.cachedStatement(sql: sql).execute(arguments: arguments)
  }
}

/// The lists of an incident that have rows of their own.
enum IncidentList: String { case press, alias }
