public import AlertCore

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
