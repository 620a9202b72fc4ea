public import AlertCore

/// A notification channel: hands one message to a service that tells the contact. It is called on
/// its own threads, so it may block; it throws unless the receiver beyond this host took the
/// message.
public protocol Sink: Sendable {
  /// One word, for logs and for `Contact.ways`.
  var name: String { get }
  /// How many messages of alarms it may carry at one time, each on its own thread; one of the
  /// owner's own may be carried beside them.
  var width: Int { get }
  /// It serves bench devices only, or its receiver on this host was declared a test.
  var isTest: Bool { get }
  /// The receiver as a contact of its own, if it is no person; it is told beside the contacts.
  var channel: Contact? { get }
  /// Why it cannot tell this contact with its configuration; nil if it can.
  func obstacle(to contact: Contact) -> String?
  /// Delivers one message and waits; call `carry`, which checks first.
  func deliver(_ message: OutgoingMessage) throws(SinkFailure)
}

extension Sink {
  /// One message of an alarm at a time.
  public var width: Int { 1 }
  /// It may reach real people, so bench messages are refused.
  public var isTest: Bool { false }
  /// The channel tells people, and has no receiver of its own.
  public var channel: Contact? { nil }
  /// Any contact can be told.
  public func obstacle(to contact: Contact) -> String? { nil }

  /// Delivers a message if it may: bench messages never page a person, and the contact must be one
  /// that the channel can tell. All deliveries go this way.
  public func carry(_ message: OutgoingMessage) throws(SinkFailure) {
    if message.isBench, !isTest {
      throw SinkFailure(
        sink: name,
        reason: "it tells real people, and bench devices may not: declare a receiver on this host"
          + " with `test: true`")
    }
    if let obstacle = obstacle(to: message.contact) {
      throw SinkFailure(sink: name, reason: "\(message.contact.id) \(obstacle)")
    }
    try deliver(message)
  }

  /// The obstacle of a sink that tells only its configured receiver.
  func obstacleOfChannel(to contact: Contact) -> String? {
    contact.id == channel?.id ? nil : "is not its receiver"
  }
}

/// A notification with its text, as a person reads it.
public struct OutgoingMessage: Codable, Equatable, Sendable {
  /// Stable over repeats: a receiver that has seen it can ignore it.
  public let key: String
  /// The incident's name.
  public let incident: String
  /// Other names of the incident, in closing messages only. A run that crashed may have told each
  /// further press as an incident of its own.
  public let aliases: [String]
  /// Why it is sent: the first message, a further press, a repeat or the end of the incident.
  public let kind: Notification.Kind
  /// What has raised the alarm, and a press that has come since (R124); empty for one of the
  /// owner's own.
  public let causes: [Cause]
  /// Numbers the messages of the incident, from 1.
  public let sequence: Int
  /// It is from a bench device and may reach test receivers only.
  public let isBench: Bool
  /// The receiver, with numbers and mailbox.
  public let contact: Contact
  /// The text in the contact's language, with the link to acknowledge, if there is one.
  public private(set) var text: String
  /// The position that the text names; nil if none is known.
  public let position: Position?
  /// Why the incident ended; in closing messages only.
  public let endReason: EndReason?
  /// When it was decided, µs since 1970.
  public let decidedWall: Int64
  /// The account's country, for routing (R60); may be empty.
  public let country: String
  /// The account's language, for routing (R60); may be empty.
  public let language: String
  /// The page where the contact says that they have it in hand. Nil in a closing message
  /// and in one of the owner's, or if this core has no address that contacts can open.
  public let acknowledgeURL: String?
  /// What its JSON form leaves out.
  var background = Background()

  /// What a message is made of, beside its text.
  struct Background: Equatable, Sendable {
    /// The owner's name, as the text has it.
    var owner = ""
    /// The text's sentence about the place; empty where it has none.
    var place = ""
    /// The incident's messages before this one, of many the last alone.
    var earlier: [MessageTime] = []
    /// No press is proved to be of the owner's keychain.
    var isUnproved = false
  }

  private enum CodingKeys: CodingKey {
    case key, incident, aliases, kind, causes, sequence, isBench, contact, text, position
    case endReason, decidedWall, country, language, acknowledgeURL
  }

  /// What makes an alarm.
  public enum Cause: String, Codable, Sendable, CaseIterable {
    /// Somebody has pressed.
    case press
    /// A program has noticed a fall.
    case fall
    /// Nobody has answered a check-in.
    case checkIn

    init(_ trigger: Trigger.Source) {
      switch trigger {
      case .fall: self = .fall
      case .checkIn: self = .checkIn
      }
    }
  }

  /// Composes the text; `now` decides whether its times need a date.
  public init(
    _ notification: Notification, account: Account, acknowledgeURL: String? = nil, now: Timestamp
  ) {
    key = notification.key
    incident = notification.incident.description
    aliases = notification.aliases.map(\.description)
    kind = notification.kind
    causes = Self.causes(of: notification)
    sequence = notification.sequence
    isBench = notification.isBench
    contact = notification.contact
    position = notification.position
    endReason = notification.endReason
    decidedWall = notification.decidedAt.wall
    country = account.country
    language = account.language
    let isAlarm = notification.kind != .closing && notification.kind != .message
    self.acknowledgeURL = isAlarm ? acknowledgeURL : nil
    let words = AlertText(account: account, language: contact.language)
    text = words.text(of: notification, now: now)
    background = Background(
      owner: account.name, place: isAlarm ? words.place(notification, now) : "",
      earlier: notification.earlier ?? [], isUnproved: notification.context.isUnproved)
    if let link = self.acknowledgeURL { self.text += " \(phrases[.acknowledge]): \(link)" }
  }

  private static func causes(of notification: Notification) -> [Cause] {
    guard notification.kind != .message else { return [] }
    guard let trigger = notification.trigger else { return [.press] }
    return [Cause(trigger)] + (notification.pressedAt == nil ? [] : [.press])
  }
}

extension OutgoingMessage {
  /// In a few words, for a subject or title; one of the owner's messages is its own.
  var headline: String {
    kind == .message
      ? text : phrases.title(isBench: isBench, isOver: kind == .closing, endReason)
  }

  /// In the contact's language, else the account's.
  var phrases: AlertPhrases { AlertPhrases.of(contact.language ?? language) }

  /// The owner has ended the alarm.
  var isClear: Bool { endReason?.isClear ?? false }
}

extension EndReason {
  /// The owner has ended the alarm.
  package var isClear: Bool { self == .disarmed || self == .cancelled }
}

/// Why a channel did not deliver a message. It quotes no number, mailbox, text or secret.
public struct SinkFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The channel's name.
  public let sink: String
  /// What failed, as a clause.
  public let reason: String

  /// A failure of the channel with this name.
  public init(sink: String, reason: String) {
    self.sink = sink
    self.reason = reason
  }

  public var description: String { "\(sink) sink: \(reason)" }
}
