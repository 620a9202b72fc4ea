public import AlertCore

/// A way out: hands one message to whoever tells the contact. Called on the sinks' own thread, so
/// it may block; it throws when the receiver beyond this host did not take the message.
public protocol Sink: Sendable {
  /// One word, for logs.
  var name: String { get }
  func deliver(_ message: OutgoingMessage) throws(SinkFailure)
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

  public init(_ notification: Notification, account: Account, now: Moment) {
    key = notification.key
    incident = notification.incident.description
    aliases = notification.aliases.map(\.description)
    kind = notification.kind
    sequence = notification.sequence
    isBench = notification.isBench
    contact = notification.contact
    text = AlertText(account: account).text(of: notification, now: now)
  }
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
