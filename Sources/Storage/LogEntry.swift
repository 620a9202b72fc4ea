public import AlertCore

/// One log entry as it is stored: what happened, to what, by whom and why (R104).
public struct LogEntry: Decodable, Equatable, Sendable {
  /// Grows with every entry; none is used twice.
  public let id: Int64
  /// When it happened, µs since 1970.
  public let wall: Int64
  /// What happened, as `AuditEvent.Name` has it.
  public let name: String
  /// The incident's name; nil if the entry belongs to none.
  public let incident: String?
  /// Sixteen hexadecimal digits; nil if the entry names no device.
  public let device: String?
  /// The event's number, as in "boot.n"; nil if the entry names none.
  public let event: String?
  /// The id of the contact that it is about; nil if none.
  public let contact: String?
  /// Who did it, as of `AuditEvent`.
  public let who: String?
  /// The notification channel that took a message or refused it.
  public let sink: String?
  /// When a message is tried next, µs since 1970.
  public let nextWall: Int64?
  /// The facts as fields. Nil if the name says everything, or if an older version wrote the entry
  /// and its sentence is not read.
  public let facts: StoredFacts?
  /// The facts in words, for people alone.
  public let detail: String?

  /// The stored form of an audit event; `id` is the one that the commit gave it.
  public init(_ auditEvent: AuditEvent, id: Int64) {
    self.id = id
    wall = auditEvent.at.wall
    name = auditEvent.name.rawValue
    incident = auditEvent.incident?.description
    device = auditEvent.device
    event = auditEvent.event
    contact = auditEvent.contact
    who = auditEvent.who
    sink = auditEvent.sink
    nextWall = auditEvent.nextWall
    facts = auditEvent.facts.map { StoredFacts($0) }
    detail = auditEvent.detail
  }

  /// Pairs a batch's log with the ids that its commit returned.
  /// - Parameters:
  ///   - log: of the batch.
  ///   - ids: what `AlertStore.commit` returned; nil gives no entries.
  public static func lines(_ log: [AuditEvent], ids: ClosedRange<Int64>?) -> [LogEntry] {
    guard let ids else { return [] }
    return zip(log, ids).map { LogEntry($0, id: $1) }
  }
}

extension LogEntry {
  /// - Parameter row: as `LogQuery.columns` has it.
  /// - Throws: where a column is not of its kind.
  init(_ row: StoredRow) throws(StoredRow.Mismatch) {
    id = try row.number(0)
    wall = try row.number(1)
    name = try row.text(2)
    incident = row.maybeText(3)
    device = row.maybeText(4)
    event = row.maybeText(5)
    contact = row.maybeText(6)
    who = row.maybeText(7)
    sink = row.maybeText(8)
    nextWall = row.maybeNumber(9)
    detail = row.maybeText(10)
    facts =
      row.maybeText(11).map { StoredFacts(json: $0) }
      ?? LegacySentence.facts(name, detail).map { StoredFacts($0) }
  }
}

/// Selects log entries; with both nil, all of them.
public struct LogFilter: Hashable, Sendable {
  /// Selects entries that name this device, and entries of an incident that name no device, from
  /// the first entry on that names this device with that incident.
  public var device: String?
  /// Selects entries of this incident, by its name.
  public var incident: String?

  /// With both, an entry must match both.
  public init(device: String? = nil, incident: String? = nil) {
    self.device = device
    self.incident = incident
  }
}

/// Which log entries a reader looks for, and how many at a time.
public struct LogSearch: Hashable, Sendable {
  /// By device and incident.
  public var filter: LogFilter
  /// What happened, as `AuditEvent.Name` has it; nil: anything.
  public var name: String?
  /// The id of the contact that an entry is about; nil: any, or none.
  public var contact: String?
  /// µs since 1970, the first moment that counts; nil: from the beginning.
  public var since: Int64?
  /// µs since 1970, the first moment that counts no more; nil: to the end.
  public var until: Int64?
  /// Words that stand together in one of an entry's texts, whatever the case of a to z; nil: any.
  public var text: String?
  /// Entries with a greater id.
  public var after: Int64
  /// Entries with a smaller id, the newest of them; nil: the oldest that there are.
  public var before: Int64?
  /// At most so many; none if it is negative.
  public var limit: Int

  /// Everything from the beginning, in pages of `limit`.
  public init(_ filter: LogFilter = LogFilter(), after: Int64 = 0, limit: Int) {
    self.filter = filter
    self.after = after
    self.limit = limit
  }
}

/// Log entries in their order, and how far the search went: no matching entry with an id up to
/// `end` is missing.
public struct LogPage: Equatable, Sendable {
  /// The matching entries, oldest first.
  public let lines: [LogEntry]
  /// Where the next search begins: pass it as `after`.
  public let end: Int64

  /// A page as its reader has found it.
  public init(lines: [LogEntry], end: Int64) {
    self.lines = lines
    self.end = end
  }
}

/// The facts of an entry in their stored form: most are passed on without being parsed.
public struct StoredFacts: Decodable, Equatable, Sendable {
  /// One JSON object, on one line.
  public let json: String

  init(json: String) { self.json = json }

  init(_ facts: Facts) { json = String(decoding: JSONObjectWriter.of(facts), as: UTF8.self) }

  public init(from decoder: any Decoder) throws { self.init(try Facts(from: decoder)) }

  /// The facts; nil if this version does not know their form.
  public var read: Facts? { try? JSON.decode(json) }
}

extension LogEntry {
  /// The entry as the API sends it: one JSON object on one line, its members sorted by name.
  /// - Parameter link: the value of one more member, `link`; nil leaves it out.
  public func json(link: String? = nil) -> [UInt8] {
    var line = JSONObjectWriter()
    line.object { line in
      line.member("contact", contact)
      line.member("detail", detail)
      line.member("device", device)
      line.member("event", event)
      if let facts { line.member("facts", written: Array(facts.json.utf8)) }
      line.member("id", number: id)
      line.member("incident", incident)
      line.member("link", link)
      line.member("name", name)
      if let nextWall { line.member("nextWall", number: nextWall) }
      line.member("sink", sink)
      line.member("wall", number: wall)
      line.member("who", who)
    }
    return line.bytes
  }
}
