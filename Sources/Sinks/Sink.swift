public import AlertCore

/// A notification channel: hands one message to whoever tells the contact. Called on threads of its
/// own, so it may block; it throws when the receiver beyond this host did not take the message.
public protocol Sink: Sendable {
  /// One word, for logs and for `Contact.ways`.
  var name: String { get }
  /// How many messages it may carry at one time, each on a thread of its own.
  var width: Int { get }
  /// Serves bench devices alone, or a receiver on this host that was declared a test.
  var isTest: Bool { get }
  /// A receiver that is no person: it is told beside the contacts, as a contact of its own.
  var channel: Contact? { get }
  /// Why it cannot tell this contact, as configured: nil where it can.
  func obstacle(to contact: Contact) -> String?
  func deliver(_ message: OutgoingMessage) throws(SinkFailure)
}

extension Sink {
  public var width: Int { 1 }
  public var isTest: Bool { false }
  public var channel: Contact? { nil }
  public func obstacle(to contact: Contact) -> String? { nil }

  /// Delivers, unless it may not: what a bench says never pages a person. The one way to
  /// `deliver`.
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

  /// For a sink that tells nobody but the receiver it was configured with.
  func obstacleOfChannel(to contact: Contact) -> String? {
    contact.id == channel?.id ? nil : "is not its receiver"
  }
}

/// A notification with its text, as a person reads it.
public struct OutgoingMessage: Codable, Equatable, Sendable {
  /// Stable over repeats: a receiver that has seen it need not tell again.
  public let key: String
  public let incident: String
  /// Other names of the incident: each of its further presses may have been told as an incident of
  /// its own by a run that crashed. Closing messages alone carry them.
  public let aliases: [String]
  public let kind: Notification.Kind
  public let sequence: Int
  public let isBench: Bool
  public let contact: Contact
  public let text: String
  public let position: Position?
  /// Why an incident is over; closing messages alone have it.
  public let endReason: EndReason?
  /// When it was decided, µs since 1970.
  public let decidedWall: Int64
  /// Of the account, for routing (R60).
  public let country: String
  public let language: String
  /// Where the contact says that they have it in hand; nil in a closing message, or where this core
  /// has no address that contacts can open.
  public let acknowledgeURL: String?

  public init(
    _ notification: Notification, account: Account, acknowledgeURL: String? = nil, now: Timestamp
  ) {
    key = notification.key
    incident = notification.incident.description
    aliases = notification.aliases.map(\.description)
    kind = notification.kind
    sequence = notification.sequence
    isBench = notification.isBench
    contact = notification.contact
    position = notification.position
    endReason = notification.endReason
    decidedWall = notification.decidedAt.wall
    country = account.country
    language = account.language
    self.acknowledgeURL = notification.kind == .closing ? nil : acknowledgeURL
    let text = AlertText(account: account).text(of: notification, now: now)
    self.text = self.acknowledgeURL.map { "\(text) I have it in hand: \($0)" } ?? text
  }
}

extension OutgoingMessage {
  /// In a few words, for a subject or title.
  var headline: String {
    let bench = isBench ? "BENCH TEST: " : ""
    return bench + (isClear ? "ALL CLEAR" : kind == .closing ? "The alarm has ended" : "ALERT!")
  }

  /// A person has ended the alarm.
  var isClear: Bool { endReason == .disarmed || endReason == .cancelled }
}

public struct SinkFailure: Error, Equatable, Sendable, CustomStringConvertible {
  public let sink: String
  public let reason: String

  public init(sink: String, reason: String) {
    self.sink = sink
    self.reason = reason
  }

  public var description: String { "\(sink) sink: \(reason)" }
}
