import AlertCore
import FobBase
import WireProtocol

/// Writes one batch inside a transaction.
struct ChangeWriter<Target: RowTarget> {
  let db: Target
  let rows: AccountRows
  private let names = IncidentNames()
  let numbers = NextNumbers()

  /// - Parameter account: all that is written is its.
  init(_ db: Target, _ account: AccountNumber) {
    self.db = db
    rows = AccountRows(account: account)
  }

  /// The account as a column has it.
  var account: ColumnValue { .number(rows.account.rawValue) }

  /// The id of the next row of a table.
  private func next(in table: NumberedTable) throws -> Int64 {
    let id = try numbers[table] ?? db.newestID(in: table, of: rows) + 1
    guard id <= rows.ids.upperBound else { throw NumbersUsedUp(table: table) }
    numbers[table] = id + 1
    return id
  }

  /// - Parameter written: what is there already of the log and of positions, with which these
  ///   changes begin.
  /// - Returns: the numbers of the log entries, in their order; nil if there is none.
  func write(
    _ changes: Changes, after written: WrittenBatch? = nil
  ) throws -> ClosedRange<Int64>? {
    if changes.erasesAccount { try eraseAccount() }
    if let account = changes.account { try write(account) }
    for id in changes.devices.keys.sorted() { try write(changes.devices[id]!, of: id) }
    for event in changes.events { try write(event) }
    for (identity, meaning) in changes.meanings { try write(meaning, of: identity) }
    for move in changes.moves { try removePresses(of: move.incident) }
    for incident in changes.changedIncidents { try write(incident) }
    for proof in changes.proofs { try write(proof, in: changes.changedIncidents) }
    for notification in changes.messages { try write(notification) }
    // An erasure takes those that are there.
    let points = changes.erasesAccount ? 0 : written?.positions(in: changes) ?? 0
    for point in changes.track.dropFirst(points) { try write(point) }
    for change in changes.checkIns { try write(change) }
    for change in changes.quickMessages { try write(change) }
    for change in changes.reviews { try write(change) }
    for change in changes.exercises { try write(change) }
    for change in changes.affirmations { try write(change) }
    for change in changes.reminders { try write(change) }
    let entries = written?.entries(in: changes) ?? 0
    var ids = entries > 0 ? written?.ids : nil
    for auditEvent in changes.log.dropFirst(entries) {
      let number = AccountRows.number(of: try write(auditEvent))
      ids = (ids?.lowerBound ?? number)...number
    }
    return ids
  }

  func write(_ account: Account) throws {
    try db.writeRow(
      """
      INSERT INTO account (id, body) VALUES (?, ?)
      ON CONFLICT (id) DO UPDATE SET body = excluded.body
      """,
      [self.account, .string(try JSON.encode(account))])
  }

  private func write(_ record: DeviceRecord, of id: DeviceID) throws {
    try db.writeRow(
      """
      INSERT INTO device (id, body, account) VALUES (?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET body = excluded.body, account = excluded.account
      """,
      [.number(id.rawValue), .string(try JSON.encode(record)), account])
  }

  /// The unique key keeps a row that is there already, as the core's mirror of it does.
  private func write(_ event: HeardEvent) throws {
    let identity = event.record.identity
    try db.writeRow(
      """
      INSERT INTO event
        (id, device, number, kind, clock, nonce, payload, meaning, incident, received_wall,
          happened_at)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (device, number, kind, clock, nonce) DO NOTHING
      """,
      [
        .integer(try next(in: .event)), .number(identity.deviceID.rawValue),
        .number(identity.number.rawValue), .number(identity.rawKind), .number(identity.clock),
        .number(identity.bootNonce), .bytes(event.record.payload), .string(event.meaning.rawValue),
        .text(names[event.incident]),
        .integer(event.receivedAt.wall), .number(event.happened),
      ])
  }

  private func write(_ late: LateMeaning, of identity: EventIdentity) throws {
    try db.writeRow(
      """
      UPDATE event SET meaning = ?, incident = ?
      WHERE device = ? AND number = ? AND kind = ? AND clock = ? AND nonce = ?
      """,
      [
        .string(late.meaning.rawValue), .text(names[late.incident]),
        .number(identity.deviceID.rawValue), .number(identity.number.rawValue),
        .number(identity.rawKind), .number(identity.clock), .number(identity.bootNonce),
      ])
  }

  private func write(_ incident: Incident) throws {
    try db.writeRow(
      """
      INSERT INTO incident (account, id, state, opened_wall, end_reason, ended_wall, body)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (account, id) DO UPDATE SET
        state = excluded.state, end_reason = excluded.end_reason,
        ended_wall = excluded.ended_wall, body = excluded.body
      """,
      [
        account, .string(names[incident.id]), .string(incident.state.rawValue),
        .integer(incident.openedAt.wall), .text(incident.endReason?.rawValue),
        .number(incident.endedAt?.wall), .utf8(try JSONObjectWriter.of(incident)),
      ])
    try write(incident.presses, as: .press, of: incident.id) { JSONObjectWriter.of($0) }
    try write(incident.aliases, as: .alias, of: incident.id) { JSONObjectWriter.of($0) }
  }

  /// The incident has lost some of its presses: all are written anew.
  private func removePresses(of incident: IncidentID) throws {
    try db.writeRow(
      "DELETE FROM incident_list WHERE account = ? AND incident = ? AND list = ?",
      [account, .string(names[incident]), .string(IncidentList.press.rawValue)])
    db.hasEntries(0, in: .press, of: names[incident], rows)
  }

  /// Adds the new entries; the stored ones stay as they are.
  private func write<Entry>(
    _ entries: [Entry], as list: IncidentList, of incident: IncidentID,
    _ text: (Entry) -> [UInt8]
  ) throws {
    let name = names[incident]
    var known = try db.storedEntries(of: list, of: name, rows)
    if known > entries.count || known < 0 {
      try db.writeRow(
        "DELETE FROM incident_list WHERE account = ? AND incident = ? AND list = ?",
        [account, .string(name), .string(list.rawValue)])
      known = 0
    }
    for position in known..<entries.count {
      try db.writeRow(
        """
        INSERT INTO incident_list (account, incident, list, position, body) VALUES (?, ?, ?, ?, ?)
        ON CONFLICT (account, incident, list, position) DO NOTHING
        """,
        [
          account, .string(name), .string(list.rawValue), .number(position),
          .utf8(text(entries[position])),
        ])
    }
    db.hasEntries(entries.count, in: list, of: name, rows)
  }

  /// A stored entry is as its incident has it now.
  private func write(_ proof: ProvedPress, in incidents: [Incident]) throws {
    guard let incident = incidents.first(where: { $0.id == proof.incident }),
      incident.presses.indices.contains(proof.place)
    else { return }
    try db.writeRow(
      """
      UPDATE incident_list SET body = ?
      WHERE account = ? AND incident = ? AND list = ? AND position = ?
      """,
      [
        .utf8(JSONObjectWriter.of(incident.presses[proof.place])), account,
        .string(names[incident.id]), .string(IncidentList.press.rawValue), .number(proof.place),
      ])
  }

  private func write(_ notification: Notification) throws {
    let incident = names[notification.incident]
    let key = notification.key(of: incident)
    try db.writeRow(
      """
      INSERT INTO notification (account, key, incident, delivery, body) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (account, key) DO UPDATE SET delivery = excluded.delivery, body = excluded.body
      """,
      [
        account, .string(key), .string(incident), .string(notification.delivery.rawValue),
        .utf8(try JSONObjectWriter.of(notification, in: incident, key: key)),
      ])
  }

  private func write(_ point: TrackPoint) throws {
    try db.writeRow(
      """
      INSERT INTO track (id, incident, wall, latitude, longitude, quality)
      VALUES (?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(try next(in: .track)), .string(names[point.incident]),
        .number(point.position.wall),
        .number(point.position.latitude), .number(point.position.longitude),
        .number(point.position.quality),
      ])
  }

  private func write(_ change: CheckInChange) throws {
    switch change {
    case .series(let series): try write(series, as: .series, "\(series.id)")
    case .seriesRemoved(let id): try remove(.series, "\(id)")
    case .checkIn(let checkIn):
      try db.writeRow(
        """
        INSERT INTO occurrence (account, series, key, state, due, body) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (account, series, key) DO UPDATE SET
          state = excluded.state, due = excluded.due, body = excluded.body
        """,
        [
          account, .number(checkIn.series), .string(checkIn.key.text),
          .string(checkIn.state.rawValue), .integer(checkIn.due), .string(try JSON.encode(checkIn)),
        ])
    case .checkInRemoved(let id):
      try db.writeRow(
        "DELETE FROM occurrence WHERE account = ? AND series = ? AND key = ?",
        [account, .number(id.series), .string(id.key.text)])
    case .settings(let settings): try write(settings, as: .settings, "")
    case .counts(let counts): try write(counts, as: .counts, "")
    }
  }

  private func write(_ change: MessageChange) throws {
    switch change {
    case .slot(let slot): try write(slot, as: .slot, "\(slot.slot)")
    case .slotEmptied(let slot): try remove(.slot, "\(slot)")
    case .send(let send): try write(send, as: .send, "\(send.id)")
    case .sendRemoved(let id): try remove(.send, "\(id)")
    case .links(let links): try write(links, as: .links, "")
    }
  }

  private func write(_ change: ReviewChange) throws {
    switch change {
    case .review(let review): try write(review, as: .review, "\(review.id)")
    case .reviewRemoved(let id): try remove(.review, "\(id)")
    case .template(let steps): try write(ReviewTemplate(steps: steps), as: .reviewTemplate, "")
    case .offer(let offer): try write(offer, as: .reviewOffer, "")
    case .offerRemoved: try remove(.reviewOffer, "")
    }
  }

  private func write(_ change: ExerciseChange) throws {
    switch change {
    case .session(let session): try write(session, as: .exercise, "")
    case .totals(let totals): try write(totals, as: .breathing, "")
    case .settings(let settings): try write(settings, as: .exerciseSettings, "")
    }
  }

  private func write(_ change: AffirmationChange) throws {
    switch change {
    case .line(let line): try write(line, as: .affirmation, "\(line.id)")
    case .lineRemoved(let id): try remove(.affirmation, "\(id)")
    case .settings(let settings): try write(settings, as: .affirmations, "")
    }
  }

  private func write(_ change: ReminderChange) throws {
    switch change {
    case .settings(let settings): try write(settings, as: .reminders, "")
    case .review(let reminder): try write(reminder, as: .reviewReminder, "")
    case .reviewRemoved: try remove(.reviewReminder, "")
    }
  }

  private func remove(_ kind: CompanionKind, _ id: String) throws {
    try db.writeRow(
      "DELETE FROM companion WHERE account = ? AND kind = ? AND id = ?",
      [account, .string(kind.rawValue), .string(id)])
  }

  private func write(_ body: some Encodable, as kind: CompanionKind, _ id: String) throws {
    try db.writeRow(
      """
      INSERT INTO companion (account, kind, id, body) VALUES (?, ?, ?, ?)
      ON CONFLICT (account, kind, id) DO UPDATE SET body = excluded.body
      """, [account, .string(kind.rawValue), .string(id), .string(try JSON.encode(body))])
  }

  /// - Returns: its id.
  private func write(_ auditEvent: AuditEvent) throws -> Int64 {
    let id = try next(in: .log)
    let facts = auditEvent.facts
    try db.writeRow(
      """
      INSERT INTO log
        (id, wall, name, incident, device, event, contact, who, sink, next_wall, detail, facts)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """,
      [
        .integer(id), .integer(auditEvent.at.wall), .string(auditEvent.name.rawValue),
        .text(names[auditEvent.incident]), .text(auditEvent.device), .text(auditEvent.event),
        .text(auditEvent.contact), .text(auditEvent.who), .text(auditEvent.sink),
        .number(auditEvent.nextWall), .text(facts?.words),
        facts.map { .utf8(JSONObjectWriter.of($0)) } ?? .null,
      ])
    return id
  }
}

/// The account has all the rows that it can have: damage, since nobody lives to see it.
struct NumbersUsedUp: Error, CustomStringConvertible {
  let table: NumberedTable
  var description: String { "the numbers of table \(table.rawValue) are used up" }
}

/// The lists of an incident that have their own rows.
enum IncidentList: String { case press, alias }

/// The names of incidents as text. It keeps the last one, since a batch repeats one and seldom has
/// two.
final class IncidentNames {
  private var last: (id: IncidentID, name: String)?

  subscript(id: IncidentID) -> String {
    if let last, last.id == id { return last.name }
    let name = id.description
    last = (id, name)
    return name
  }

  subscript(id: IncidentID?) -> String? { id.map { self[$0] } }
}

/// The next row number of each table, once one batch has asked for it.
final class NextNumbers {
  private var next: [NumberedTable: Int64] = [:]

  subscript(table: NumberedTable) -> Int64? {
    get { next[table] }
    set { next[table] = newValue }
  }
}
