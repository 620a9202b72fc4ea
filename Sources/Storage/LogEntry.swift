public import AlertCore
import GRDB

/// One log entry as it is stored: what happened, to what, by whom and why (R104).
public struct LogEntry: Decodable, Equatable, Sendable {
  /// Grows with every line; none is used twice.
  public let id: Int64
  /// When it happened, µs since 1970.
  public let wall: Int64
  /// As `AuditEvent.Name` has it.
  public let name: String
  public let incident: String?
  /// Sixteen hexadecimal digits.
  public let device: String?
  /// "boot.n"
  public let event: String?
  public let contact: String?
  /// Who did it: "button", "core", "console", the name of a token, the id of a contact.
  public let who: String?
  /// The notification channel that took a message or refused it.
  public let sink: String?
  /// When a message is tried next, µs since 1970.
  public let nextWall: Int64?
  /// What it says beside; nil where its name says it all, and where nobody reads a line of an older
  /// version.
  public let facts: StoredFacts?
  /// The facts in words, for people alone.
  public let detail: String?

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

  /// What a commit has written.
  /// - Parameters:
  ///   - log: of the batch.
  ///   - ids: what `AlertStore.commit` returned for it.
  public static func lines(_ log: [AuditEvent], ids: ClosedRange<Int64>?) -> [LogEntry] {
    guard let ids else { return [] }
    return zip(log, ids).map { LogEntry($0, id: $1) }
  }
}

extension LogEntry {
  /// - Throws: `DatabaseError` where a column is not of its kind.
  init(_ row: Row) throws {
    id = try row.needed("id")
    wall = try row.needed("wall")
    name = try row.needed("name")
    incident = row.kept("incident")
    device = row.kept("device")
    event = row.kept("event")
    contact = row.kept("contact")
    who = row.kept("who")
    sink = row.kept("sink")
    nextWall = Int64.fromDatabaseValue(row["next_wall"])
    detail = row.kept("detail")
    facts =
      row.kept("facts").map { StoredFacts(json: $0) }
      ?? LegacySentence.facts(name, detail).map { StoredFacts($0) }
  }
}

extension Row {
  /// GRDB's own way traps.
  fileprivate func needed<Value: DatabaseValueConvertible>(_ column: String) throws -> Value {
    guard let value = Value.fromDatabaseValue(self[column]) else {
      throw DatabaseError(
        resultCode: .SQLITE_MISMATCH, message: "column \(column) is not of its kind")
    }
    return value
  }

  fileprivate func kept(_ column: String) -> String? { String.fromDatabaseValue(self[column]) }
}

/// Which log entries; both nil: all.
public struct LogFilter: Hashable, Sendable {
  /// Lines about this device, and those about an incident, and no device, from the first line on
  /// that names this device with that incident: from its press.
  public var device: String?
  public var incident: String?

  public init(device: String? = nil, incident: String? = nil) {
    self.device = device
    self.incident = incident
  }
}

/// Lines in their order, and how far they were looked for: no line at or below `end` is missing.
public struct LogPage: Equatable, Sendable {
  public let lines: [LogEntry]
  public let end: Int64

  public init(lines: [LogEntry], end: Int64) {
    self.lines = lines
    self.end = end
  }
}

/// The facts of a line as they stand in the database: most are passed on without being read.
public struct StoredFacts: Decodable, Equatable, Sendable {
  /// One object, on one line.
  public let json: String

  init(json: String) { self.json = json }

  init(_ facts: Facts) { json = String(decoding: JSONObjectWriter.of(facts), as: UTF8.self) }

  public init(from decoder: any Decoder) throws { self.init(try Facts(from: decoder)) }

  /// Nil for what this version does not know.
  public var read: Facts? { try? JSON.decode(json) }
}

extension LogEntry {
  /// As the API tells it: an object of JSON on one line, its members in the order of their letters.
  /// - Parameter link: a member of that name beside its own.
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
