import AlertCore
import FobBase
import WireProtocol

/// Reads the state that an earlier run left.
struct StateReader {
  private let db: any RowSource
  private let account: AccountNumber
  /// The account as a column has it.
  private var whose: ColumnValue { .number(account.rawValue) }
  private var rows: ClosedRange<Int64> { AccountRows(account: account).ids }

  /// - Parameter account: whose state is read.
  init(_ db: any RowSource, _ account: AccountNumber) {
    self.db = db
    self.account = account
  }

  func owner() throws -> Account? {
    try db.texts("SELECT body FROM account WHERE id = ?", [whose]).first.map { try JSON.decode($0) }
  }

  func standing() throws -> AccountStanding? {
    try db.texts("SELECT standing FROM account WHERE id = ?", [whose]).first
      .flatMap(AccountStanding.init(rawValue:))
  }

  func read() throws -> StoredState {
    var state = StoredState(
      current: try incident(
        "state <> ? ORDER BY opened_wall DESC",
        .string(EmergencyState.noEmergency.rawValue)),
      lastDisarmed: try incident(
        "end_reason = ? ORDER BY ended_wall DESC", .string(EndReason.disarmed.rawValue)),
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
    try db.each("SELECT kind, id, body FROM companion WHERE account = ? ORDER BY kind, id", [whose])
    { row in
      switch try CheckInRow(kind: row.text(0), id: row.text(1), body: row.text(2)) {
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
    try db.each(
      """
      SELECT series, key, state, due, body FROM occurrence WHERE account = ? ORDER BY series, key
      """, [whose]
    ) { row in
      stored.checkIns.append(
        try CheckInRow.checkIn(
          series: row.number(0), key: row.text(1), state: row.text(2), due: row.number(3),
          body: row.text(4)))
    }
    state.checkIns = stored
  }

  /// Incidents that a trigger opened: their names say boot 0, which no keychain counts.
  private func triggers() throws -> [IncidentID] {
    try db.texts(
      """
      SELECT id FROM incident WHERE account = ? AND id LIKE '%-00000000-%'
      ORDER BY opened_wall DESC, id LIMIT ?
      """, [whose, .number(Limits.seenTriggers)]
    ).reversed().compactMap { IncidentID($0) }
  }

  func incident(_ rule: String, _ value: ColumnValue) throws -> Incident? {
    try db.texts("SELECT body FROM incident WHERE account = ? AND \(rule) LIMIT 1", [whose, value])
      .first.map { try incident($0) }
  }

  /// A body with its own lists is from an older version, which wrote them there.
  func incident(_ body: String) throws -> Incident {
    var incident: Incident = try JSON.decode(body)
    let presses: [PressEntry] = try list(.press, of: incident.id)
    incident.append(presses: presses, aliases: try list(.alias, of: incident.id))
    return incident
  }

  private func list<T: Decodable>(_ list: IncidentList, of incident: IncidentID) throws -> [T] {
    try db.texts(
      """
      SELECT body FROM incident_list WHERE account = ? AND incident = ? AND list = ?
      ORDER BY position
      """, [whose, .string(incident.description), .string(list.rawValue)]
    ).map { try JSON.decode($0) }
  }

  private func devices() throws -> [DeviceID: DeviceRecord] {
    let rows = try db.rows("SELECT id, body FROM device WHERE account = ?", [whose])
    return try Dictionary(
      rows.map { row in
        (DeviceID(rawValue: UInt64(bitPattern: try row.number(0))), try JSON.decode(row.text(1)))
      }
    ) { first, _ in first }
  }

  private func notifications() throws -> [Notification] {
    try db.texts(
      """
      SELECT body FROM notification
      WHERE account = ? AND delivery NOT IN ('delivered', 'withdrawn') ORDER BY key
      """, [whose]
    ).map { try JSON.decode($0) }
  }

  /// Those that other accounts have of the account's keychains, and then its own, at most as many
  /// as the core mirrors; oldest first.
  private func identities() throws -> [EventIdentity] {
    let keychains = (try owner()?.devices ?? []).compactMap { DeviceID(text: $0) }
    let own = try identities(
      "id BETWEEN ? AND ? ORDER BY id DESC LIMIT ?",
      [.integer(rows.lowerBound), .integer(rows.upperBound), .number(Limits.knownEvents)])
    return try keychains.flatMap { try identitiesOfOthers(from: $0) } + own
  }

  /// The newest that other accounts have of a keychain: more than it keeps. Oldest first.
  func identitiesOfOthers(from device: DeviceID) throws -> [EventIdentity] {
    try identities(
      "device = ? AND id NOT BETWEEN ? AND ? ORDER BY received_wall DESC, id DESC LIMIT ?",
      [
        .number(device.rawValue), .integer(rows.lowerBound), .integer(rows.upperBound),
        .number(16 * Limits.deviceEvents),
      ])
  }

  /// From one to the next by the index of events: there may be millions of these.
  func keychainsOfAll() throws -> Set<DeviceID> {
    let devices = try db.rows(
      """
      WITH RECURSIVE keychain (device) AS (
        SELECT MIN(device) FROM event
        UNION ALL
        SELECT (SELECT MIN(device) FROM event WHERE device > keychain.device) FROM keychain
        WHERE keychain.device IS NOT NULL
      ) SELECT device FROM keychain WHERE device IS NOT NULL
      """)
    return Set(try devices.map { DeviceID(rawValue: UInt64(bitPattern: try $0.number(0))) })
  }

  private func identities(_ rule: String, _ values: [ColumnValue]) throws -> [EventIdentity] {
    try db.rows(
      "SELECT substr(payload, 1, ?) FROM event WHERE \(rule)",
      [.number(EventIdentity.size)] + values
    ).reversed().map { try $0.bytes(0) }.compactMap { frozen in
      guard frozen.count == EventIdentity.size else { return nil }
      return frozen.withUnsafeBytes { EventIdentity($0) }
    }
  }

  /// The newest events, and all whose meaning is open, oldest first. A meaning that this version
  /// does not know counts as noted.
  private func recent() throws -> [StoredEvent] {
    try db.rows(
      """
      SELECT payload, meaning, received_wall FROM event
      WHERE id BETWEEN ?1 AND ?2 AND (meaning = 'open'
        OR id > (SELECT COALESCE(MAX(id), 0) FROM event WHERE id BETWEEN ?1 AND ?2) - ?3)
      ORDER BY id
      """,
      [.integer(rows.lowerBound), .integer(rows.upperBound), .number(Limits.recentEvents)]
    ).compactMap { row in
      let payload = try row.bytes(0)
      guard payload.count >= EventRecord.size else { throw EventCutOff() }
      let (meaning, wall) = (try row.text(1), try row.number(2))
      return payload.withUnsafeBytes { EventRecord($0) }.map {
        StoredEvent(
          record: $0, meaning: PressDetector.Meaning(rawValue: meaning) ?? .noted,
          receivedWall: wall)
      }
    }
  }

  /// Oldest first.
  func presses() throws -> [StoredPress] {
    try db.rows(
      """
      SELECT id, device, number, incident FROM event WHERE kind = ? AND id BETWEEN ? AND ?
      ORDER BY id
      """,
      [
        .number(EventKind.pressed.rawValue), .integer(rows.lowerBound), .integer(rows.upperBound),
      ]
    ).map { try StoredPress($0) }
  }
}

/// An event's payload has lost its end.
struct EventCutOff: Error, CustomStringConvertible {
  var description: String { "an event's payload is cut off" }
}

extension StoredPress {
  /// - Parameter row: its id, and then as here.
  init(_ row: StoredRow) throws(StoredRow.Mismatch) {
    device = DeviceID(rawValue: UInt64(bitPattern: try row.number(1))).text
    event = EventNumber(rawValue: UInt64(bitPattern: try row.number(2))).text
    incident = row.maybeText(3)
  }
}
