/// One message to one contact, kept until it was delivered or has become pointless.
public struct Notification: Codable, Equatable, Sendable {
  public enum Kind: String, Codable, Sendable {
    /// The first message of an incident.
    case raise
    /// Pressed again (G18).
    case update
    /// Sent again with a fresh position, nobody having acknowledged (R37).
    case again
    /// The incident is over (R52, G4).
    case closing
  }

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

  /// Stable over crashes and repeats, so that a receiver can tell a repeat from news.
  public let key: String
  public let incident: IncidentID
  public let isBench: Bool
  public let contact: Contact
  public let kind: Kind
  /// From 1, over all kinds of an incident.
  public let sequence: Int
  public let decidedAt: Moment
  public let position: Position?
  public let endReason: EndReason?
  /// Of a closing message: the other names that it closes.
  public let aliases: [IncidentID]
  public internal(set) var delivery = Delivery.held
  public internal(set) var attempts = 0
  public internal(set) var nextAttempt: Moment?
  public internal(set) var lastError: String?

  init(
    _ kind: Kind, to contact: Contact, of incident: Incident, sequence: Int,
    position: Position?, at now: Moment
  ) {
    key = "\(incident.id)/\(contact.id)/\(kind.rawValue)/\(sequence)"
    self.incident = incident.id
    isBench = incident.isBench
    self.contact = contact
    self.kind = kind
    self.sequence = sequence
    decidedAt = now
    self.position = position
    endReason = incident.endReason
    aliases = kind == .closing ? incident.aliases : []
  }

  var withdrawn: Notification {
    var notification = self
    notification.delivery = .withdrawn
    notification.nextAttempt = nil
    return notification
  }
}
