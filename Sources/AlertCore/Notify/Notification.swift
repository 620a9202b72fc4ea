/// One message to one contact, kept until it is delivered or withdrawn.
public struct Notification: Codable, Equatable, Sendable {
  /// The kinds of messages.
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// The first message of an incident.
    case raise
    /// Pressed again (G18).
    case update
    /// A repeat with a fresh position, since nobody has acknowledged (R37).
    case again
    /// The incident is over (R52, G4).
    case closing
    /// One of the owner's five messages, which is about no incident (R62).
    case message
  }

  /// How far a message has come. Only `delivered` and `withdrawn` are final.
  public enum Delivery: String, Codable, Sendable {
    /// Waits for its commit, or for `Policy.tellLatest`.
    case held
    case due
    case underWay
    case delivered
    /// Never to be sent: the incident ended first, or a newer message replaces it.
    case withdrawn

    var isOver: Bool { self == .delivered || self == .withdrawn }
  }

  /// The incident that it tells of; of one of the five messages, its own id.
  public let incident: IncidentID
  /// Raised by a bench device: no live notification channel may carry it.
  public let isBench: Bool
  /// A copy from when the message was decided: later changes of the account do not redirect it.
  public internal(set) var contact: Contact
  /// Together with `sequence`, contact and incident it makes the `key`.
  public let kind: Kind
  /// From 1, over all kinds of an incident.
  public let sequence: Int
  /// When the core decided to send it, which is before it is handed out.
  public let decidedAt: Timestamp
  /// The last position known when it was decided; nil: none, and in every closing message.
  public internal(set) var position: Position?
  /// What raised the alarm without a press; nil: a press did.
  public let trigger: Trigger.Source?
  /// The check-in of this core whose silence raised it; nil: something else did.
  public internal(set) var question: UnansweredCheckIn?
  /// When the incident was opened; nil in what an older version has stored.
  public let openedAt: Timestamp?
  /// When the last press that is told came to the core; nil: nobody has pressed (R124), or an
  /// older version has stored it.
  public let pressedAt: Timestamp?
  /// For a closing message: why the incident ended; else nil.
  public let endReason: EndReason?
  /// For a closing message: the other ids that it closes.
  public let aliases: [IncidentID]
  /// The incident's messages to everyone before this one, of many the last alone; nil: there is
  /// none, or an older version has stored it.
  public private(set) var earlier: [MessageTime]?
  /// How often presses of a keychain had moved to who has claimed it, while the incident went on;
  /// nil: never.
  public let handovers: Int?
  /// What is known of the incident when the message is handed out. Not stored.
  public package(set) var context = Context()
  /// The owner's words, of one of the five messages alone. Not stored.
  public private(set) var words: String?
  /// How far it has come.
  public internal(set) var delivery = Delivery.held
  /// How often it was handed to a sink.
  public internal(set) var attempts = 0
  /// While due: when it is handed out next. While under way: when its sink is taken to have
  /// refused.
  public internal(set) var nextAttempt: Timestamp?
  /// The sink's error in its last answer; nil: it accepted, or has not answered yet.
  public internal(set) var lastError: String?

  /// What is known of the incident when a message is handed out.
  public struct Context: Equatable, Sendable {
    /// How many presses were made out of reach; nil: none.
    public package(set) var outOfReach: Int?
    /// Where several keychains were pressed: how many presses there are; else nil.
    public package(set) var fleetPresses: Int?
    /// Some contact has acknowledged, and no press came since.
    public package(set) var isAcknowledged = false
    /// All presses came in the name of a paired keychain, and none is proved to be of it.
    public package(set) var isUnproved = false
    /// How many presses are not proved, where that is told: more than one of an alarm of which
    /// nothing is proved, or any of another; else nil.
    public package(set) var unprovedPresses: Int?

    package init() {}
  }

  /// The stored fields; `key` is made from them.
  enum CodingKeys: CodingKey {
    case incident, isBench, contact, kind, sequence, decidedAt, position
    case trigger, question, openedAt, pressedAt, endReason, aliases, earlier, handovers
    case delivery, attempts, nextAttempt, lastError
  }

  /// The parts of `key`.
  package struct ID: Hashable, Sendable {
    let incident: IncidentID
    let contact: ContactID
    let kind: Kind
    let sequence: Int

    /// Leaves the contact out: few messages of an incident differ in the contact alone.
    package func hash(into hasher: inout Hasher) {
      hasher.combine(incident.wire)
      hasher.combine(sequence)
    }
  }

  var id: ID { ID(incident: incident, contact: contact.id, kind: kind, sequence: sequence) }

  /// Whether both have the same `id`.
  func isSame(as other: Notification) -> Bool {
    sequence == other.sequence && kind == other.kind && incident == other.incident
      && contact.id == other.contact.id
  }

  /// The same over crashes and repeats, so that a receiver can tell a repeat from news.
  public var key: String { key(of: incident.description) }

  /// `key` for a caller that has the incident's text already.
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

  // Inlined, since passing the incident would copy all of it.
  /// - Parameter ways: the contact's sinks from the configuration; nil: it names none.
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
    trigger = incident.trigger
    question = incident.question
    openedAt = incident.openedAt
    pressedAt = incident.lastPressAt ?? (incident.trigger == nil ? incident.openedAt : nil)
    endReason = incident.endReason
    aliases = kind == .closing ? incident.aliases : []
    handovers = incident.handovers
    let before = incident.messageTimes.prefix { $0.sequence < sequence }
    earlier = before.isEmpty ? nil : Array(before)
  }

  /// One of the five messages.
  init(_ send: MessageSend, decidedAt: Timestamp) {
    incident = send.id
    isBench = send.isBench
    contact = send.recipient
    kind = .message
    sequence = 1
    self.decidedAt = decidedAt
    position = nil
    trigger = nil
    question = nil
    openedAt = nil
    pressedAt = nil
    endReason = nil
    aliases = []
    handovers = nil
    words = send.message
  }

  /// The notification channel that carries this attempt; nil before the first, and where the core
  /// knows of none.
  var way: String? { attempts > 0 ? way(of: contact.ways) : nil }

  /// The notification channel of this attempt: each attempt takes the next one, and after the last
  /// the first again; nil where there is none.
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
