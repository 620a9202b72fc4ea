public import AlertCore

/// One message to one contact, with every attempt to deliver it.
public struct NotificationDocument: Codable, Equatable, Sendable {
  /// Stable over crashes and repeats; made of incident, contact, kind and sequence number.
  public let key: String
  /// The contact's id; the document has no name or number.
  public let contact: ContactID
  /// Why it was sent: the first message, a further press, a repeat or the end of the incident.
  public let kind: Notification.Kind
  /// Numbers the messages of its incident, in the order of decision.
  public let sequence: Int
  /// When the core decided to send it.
  public let decided: WallTime
  /// How far it has come.
  public let delivery: Notification.Delivery
  /// How many times it was handed out.
  public let attempts: Int
  /// When it is tried next; nil if no attempt is planned.
  public let next: WallTime?
  /// Why the last attempt failed; nil if none did.
  public let lastError: String?
  /// The position that it told; nil if none was known.
  public let position: IncidentDocument.Fix?
  /// Every attempt and every answer, oldest first.
  public let steps: [Step]

  /// One log entry about this message.
  public struct Step: Codable, Equatable, Sendable {
    /// The id of the log entry.
    public let line: Int64
    /// When it was logged.
    public let at: WallTime
    /// "notified", "delivered", "deliveryFailed" or "withdrawn".
    public let result: String
    /// The notification channel; nil if none was chosen.
    public let sink: String?
    /// When the message is tried next; nil if no attempt is planned.
    public let next: WallTime?
    /// The facts as fields; nil if there are none or this version cannot read them.
    public let facts: Facts?
    /// The facts in words, for people alone.
    public let detail: String?
  }
}

extension NotificationDocument {
  /// - Parameter log: of the notification's incident.
  init(_ notification: Notification, log: [IncidentDocument.Line]) {
    key = notification.key
    contact = notification.contact.id
    kind = notification.kind
    sequence = notification.sequence
    decided = WallTime(notification.decidedAt)
    delivery = notification.delivery
    attempts = notification.attempts
    next = notification.nextAttempt.map { WallTime($0) }
    lastError = notification.lastError
    position = notification.position.map { IncidentDocument.Fix($0) }
    steps = log.filter { $0.isStep(of: notification) }.map { line in
      Step(
        line: line.id, at: line.at, result: line.name, sink: line.sink, next: line.next,
        facts: line.facts, detail: line.detail)
    }
  }
}

extension IncidentDocument.Line {
  fileprivate func isStep(of notification: Notification) -> Bool {
    guard contact == notification.contact.id, case .message(let message)? = facts?.reason else {
      return false
    }
    return message.kind == notification.kind && message.sequence == notification.sequence
  }
}

extension IncidentDocument.Fix {
  init(_ position: Position) {
    self.init(
      at: WallTime(position.wall), latitude: position.latitude, longitude: position.longitude,
      quality: position.quality)
  }
}
