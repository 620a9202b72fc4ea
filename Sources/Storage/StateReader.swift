import AlertCore
import FobBase
import GRDB
import WireProtocol

import struct Foundation.Data

/// Reads the state that an earlier run left.
struct StateReader {
  private let db: Database
  private let account: AccountNumber
  private var rows: ClosedRange<Int64> { AccountRows(account: account).ids }

  /// - Parameter account: whose state is read.
  init(_ db: Database, _ account: AccountNumber) {
    self.db = db
    self.account = account
  }

  func owner() throws -> Account? {
    try String.fetchOne(
      db, sql: "SELECT body FROM account WHERE id = ?", arguments: [account.rawValue]
    ).map { try JSON.decode($0) }
  }

  func standing() throws -> AccountStanding? {
    try String.fetchOne(
      db, sql: "SELECT standing FROM account WHERE id = ?", arguments: [account.rawValue]
    ).flatMap(AccountStanding.init(rawValue:))
  }

  func read() throws -> StoredState {
    var state = StoredState(
      current: try incident(
        "state <> ? ORDER BY opened_wall DESC", [EmergencyState.noEmergency.rawValue]),
      lastDisarmed: try incident(
        "end_reason = ? ORDER BY ended_wall DESC", [EndReason.disarmed.rawValue]),
      notifications: try notifications(),
      identities: try identities(),
      recent: try recent(),
      devices: try devices(),
      triggers: try triggers())
    try readCompanions(&state)
    return state
  }

  private func readCompanions(_ state: inout StoredState) throws {
    var stored = StoredCheckIns()
    let companions = try Row.fetchCursor(
      db, sql: "SELECT kind, id, body FROM companion WHERE account = ?",
      arguments: [account.rawValue])
    while let row = try companions.next() {
      switch try CheckInRow(kind: row[0], id: row[1], body: row[2]) {
      case .series(let series): stored.series.append(series)
      case .settings(let settings): stored.settings = settings
      case .counts(let counts): stored.counts = counts
      case .slot(let slot): state.messages.slots.append(slot)
      case .send(let send): state.messages.sends.append(send)
      case .links(let links): state.messages.links = links
      case .review(let review): state.reviews.reviews.append(review)
      case .template(let template): state.reviews.template = template.steps
      case .offer(let offer): state.reviews.offer = offer
      case .exercise(let row): state.exercises.apply(row)
      case .affirmation(let line): state.affirmations.lines.append(line)
      case .affirmations(let settings): state.affirmations.settings = settings
      case .reminder(let row): state.reminders.apply(row)
      }
    }
    stored.series.sort { $0.id < $1.id }
    let asked = try Row.fetchCursor(
      db, sql: "SELECT series, key, state, due, body FROM occurrence WHERE account = ?",
      arguments: [account.rawValue])
    while let row = try asked.next() {
      stored.checkIns.append(
        try CheckInRow.checkIn(
          series: row[0], key: row[1], state: row[2], due: row[3], body: row[4]))
    }
    state.checkIns = stored
  }

  /// Incidents that a trigger opened: their names say boot 0, which no keychain counts.
  private func triggers() throws -> [IncidentID] {
    try String.fetchAll(
      db,
      sql: """
        SELECT id FROM incident WHERE account = ? AND id LIKE '%-00000000-%'
        ORDER BY opened_wall DESC, id LIMIT ?
        """, arguments: [account.rawValue, Limits.seenTriggers]
    ).reversed().compactMap { IncidentID($0) }
  }

  func incident(_ rule: String, _ arguments: StatementArguments) throws -> Incident? {
    try String.fetchOne(
      db, sql: "SELECT body FROM incident WHERE account = ? AND \(rule) LIMIT 1",
      arguments: [account.rawValue] + arguments
    ).map { try incident($0) }
  }

  /// A body with its own lists is from an older version, which wrote them there.
  func incident(_ body: String) throws -> Incident {
    var incident: Incident = try JSON.decode(body)
    let presses: [PressEntry] = try list(.press, of: incident.id)
    incident.append(presses: presses, aliases: try list(.alias, of: incident.id))
    return incident
  }

  private func list<T: Decodable>(_ list: IncidentList, of incident: IncidentID) throws -> [T] {
    try String.fetchAll(
      db,
      sql: """
        SELECT body FROM incident_list WHERE account = ? AND incident = ? AND list = ?
        ORDER BY position
        """, arguments: [account.rawValue, incident.description, list.rawValue]
    ).map { try JSON.decode($0) }
  }

  private struct DeviceRow: Decodable, FetchableRecord {
    let id: Int64
    let body: String
  }

  private func devices() throws -> [DeviceID: DeviceRecord] {
    let rows = try DeviceRow.fetchAll(
      db, sql: "SELECT id, body FROM device WHERE account = ?", arguments: [account.rawValue])
    return try Dictionary(
      rows.map { row in
        (DeviceID(rawValue: UInt64(bitPattern: row.id)), try JSON.decode(row.body))
      }
    ) { first, _ in first }
  }

  private func notifications() throws -> [Notification] {
    try String.fetchAll(
      db,
      sql: """
        SELECT body FROM notification
        WHERE account = ? AND delivery NOT IN ('delivered', 'withdrawn')
        """, arguments: [account.rawValue]
    ).map { try JSON.decode($0) }
  }

  /// Those that other accounts have of the account's keychains, and then its own, at most as many
  /// as the core mirrors; oldest first.
  private func identities() throws -> [EventIdentity] {
    let keychains = (try owner()?.devices ?? []).compactMap { DeviceID(text: $0) }
    let own = try identities(
      "id BETWEEN ? AND ? ORDER BY id DESC LIMIT ?",
      [rows.lowerBound, rows.upperBound, Limits.knownEvents])
    return try keychains.flatMap { try identitiesOfOthers(from: $0) } + own
  }

  /// The newest that other accounts have of a keychain: more than it keeps. Oldest first.
  func identitiesOfOthers(from device: DeviceID) throws -> [EventIdentity] {
    try identities(
      "device = ? AND id NOT BETWEEN ? AND ? ORDER BY received_wall DESC, id DESC LIMIT ?",
      [
        Int64(bitPattern: device.rawValue), rows.lowerBound, rows.upperBound,
        16 * Limits.deviceEvents,
      ])
  }

  private func identities(
    _ rule: String, _ arguments: StatementArguments
  ) throws -> [EventIdentity] {
    try Data.fetchAll(
      db, sql: "SELECT substr(payload, 1, ?) FROM event WHERE \(rule)",
      arguments: [EventIdentity.size] + arguments
    ).reversed().compactMap { frozen in
      guard frozen.count == EventIdentity.size else { return nil }
      return frozen.withUnsafeBytes { EventIdentity($0) }
    }
  }

  private struct EventRow: Decodable, FetchableRecord {
    let payload: Data
    let meaning: String
    let received_wall: Int64
  }

  /// The newest events, and all whose meaning is open, oldest first. A meaning that this version
  /// does not know counts as noted.
  private func recent() throws -> [StoredEvent] {
    try EventRow.fetchAll(
      db,
      sql: """
        SELECT payload, meaning, received_wall FROM event
        WHERE id BETWEEN ?1 AND ?2 AND (meaning = 'open'
          OR id > (SELECT IFNULL(MAX(id), 0) FROM event WHERE id BETWEEN ?1 AND ?2) - ?3)
        ORDER BY id
        """,
      arguments: [rows.lowerBound, rows.upperBound, Limits.recentEvents]
    ).compactMap { row in
      guard row.payload.count >= EventRecord.size else {
        throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an event's payload is cut off")
      }
      return row.payload.withUnsafeBytes { EventRecord($0) }.map {
        StoredEvent(
          record: $0, meaning: PressDetector.Meaning(rawValue: row.meaning) ?? .noted,
          receivedWall: row.received_wall)
      }
    }
  }

  private struct PressRow: Decodable, FetchableRecord {
    let device: Int64
    let number: Int64
    let incident: String?
  }

  /// Oldest first.
  func presses() throws -> [StoredPress] {
    try PressRow.fetchAll(
      db,
      sql: """
        SELECT device, number, incident FROM event WHERE kind = ? AND id BETWEEN ? AND ? ORDER BY id
        """, arguments: [EventKind.pressed.rawValue, rows.lowerBound, rows.upperBound]
    ).map { row in
      StoredPress(
        device: DeviceID(rawValue: UInt64(bitPattern: row.device)).text,
        event: EventNumber(rawValue: UInt64(bitPattern: row.number)).text,
        incident: row.incident)
    }
  }
}
