/// One message to one contact, kept until it was delivered or has become pointless.
public struct Notification: Codable, Equatable, Sendable {
  /// What a message tells its contact.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// The first message of an incident.
    case raise
    /// Pressed again (G18).
    case update
    /// Sent again with a fresh position, nobody having acknowledged (R37).
    case again
    /// The incident is over (R52, G4).
    case closing
  }

  /// How far a message has come. Only `delivered` and `withdrawn` are final.
  public enum Delivery: String, Codable, Sendable {
    /// Decided, but neither committed nor late enough to be told uncommitted.
    case held
    case due
    case underWay
    case delivered
    /// No longer to be sent: the incident ended first, or there is newer to tell.
    case withdrawn

    var isOver: Bool { self == .delivered || self == .withdrawn }
  }

  /// The incident that it tells of.
  public let incident: IncidentID
  /// Of a bench device: no live notification channel may carry it.
  public let isBench: Bool
  /// A copy from when the message was decided: later changes of the account do not redirect it.
  public internal(set) var contact: Contact
  /// Together with `sequence`, contact and incident it makes the `key`.
  public let kind: Kind
  /// From 1, over all kinds of an incident.
  public let sequence: Int
  /// When the core decided to send it, which is before it is handed out.
  public let decidedAt: Timestamp
  /// As known when it was decided; nil: none, and in every closing message.
  public let position: Position?
  /// Of a closing message: why the incident ended; else nil.
  public let endReason: EndReason?
  /// Of a closing message: the other names that it closes.
  public let aliases: [IncidentID]
  /// Presses that were made out of reach, as known when it is handed out; nil: none. Not stored.
  public package(set) var outOfReach: Int?
  /// How far it has come.
  public internal(set) var delivery = Delivery.held
  /// How often it was handed to a sink.
  public internal(set) var attempts = 0
  /// While due: when it is handed out next. While under way: when its sink is taken to have
  /// refused.
  public internal(set) var nextAttempt: Timestamp?
  /// What the sink said of the last attempt that it answered; nil: none, or it accepted.
  public internal(set) var lastError: String?

  /// What is read back; `key` follows from it.
  enum CodingKeys: CodingKey {
    case incident, isBench, contact, kind, sequence, decidedAt, position, endReason, aliases
    case delivery, attempts, nextAttempt, lastError
  }

  /// What `key` is made of.
  package struct ID: Hashable, Sendable {
    let incident: IncidentID
    let contact: ContactID
    let kind: Kind
    let sequence: Int

    /// Without the contact: those of one incident that are alike in the rest are few.
    package func hash(into hasher: inout Hasher) {
      hasher.combine(incident.wire)
      hasher.combine(sequence)
    }
  }

  var id: ID { ID(incident: incident, contact: contact.id, kind: kind, sequence: sequence) }

  /// Whether its `id` is the other's.
  func isSame(as other: Notification) -> Bool {
    sequence == other.sequence && kind == other.kind && incident == other.incident
      && contact.id == other.contact.id
  }

  /// Stable over crashes and repeats, so that a receiver can tell a repeat from news.
  public var key: String { key(of: incident.description) }

  /// The same by whoever has the incident's name at hand.
  package func key(of incident: String) -> String {
    var key = incident
    key.reserveCapacity(96)
    key += "/"
    key += contact.id
    key += "/"
    key += kind.rawValue
    key += "/"
    key += String(sequence)
    return key
  }

  // Inlined, since the whole incident would be copied to be passed.
  /// - Parameter ways: those of the contact, where the configuration names any.
  @inline(__always)
  init(
    _ kind: Kind, to contact: Contact, by ways: [String]? = nil, of incident: Incident,
    sequence: Int, position: Position?, at now: Timestamp
  ) {
    self.incident = incident.id
    isBench = incident.isBench
    self.contact = contact
    if let ways { self.contact.ways = ways }
    self.kind = kind
    self.sequence = sequence
    decidedAt = now
    self.position = position
    endReason = incident.endReason
    aliases = kind == .closing ? incident.aliases : []
  }

  /// The notification channel that carries this attempt; nil before the first, and where the core
  /// knows of none.
  var way: String? { attempts > 0 ? way(of: contact.ways) : nil }

  /// Each attempt takes the next way, and the first again after the last; nil where there is none.
  public func way(of ways: [String]) -> String? {
    ways.isEmpty ? nil : ways[(max(attempts, 1) - 1) % ways.count]
  }

  var withdrawn: Notification {
    var notification = self
    notification.delivery = .withdrawn
    notification.nextAttempt = nil
    return notification
  }
}

extension Notification {
  private enum WrittenKey: CodingKey { case key }

  /// With `key`, which a receiver tells repeats by.
  public func encode(to encoder: any Encoder) throws {
    var written = encoder.container(keyedBy: WrittenKey.self)
    try written.encode(key, forKey: .key)
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(incident, forKey: .incident)
    try values.encode(isBench, forKey: .isBench)
    try values.encode(contact, forKey: .contact)
    try values.encode(kind, forKey: .kind)
    try values.encode(sequence, forKey: .sequence)
    try values.encode(decidedAt, forKey: .decidedAt)
    try values.encodeIfPresent(position, forKey: .position)
    try values.encodeIfPresent(endReason, forKey: .endReason)
    try values.encode(aliases, forKey: .aliases)
    try values.encode(delivery, forKey: .delivery)
    try values.encode(attempts, forKey: .attempts)
    try values.encodeIfPresent(nextAttempt, forKey: .nextAttempt)
    try values.encodeIfPresent(lastError, forKey: .lastError)
  }
}
