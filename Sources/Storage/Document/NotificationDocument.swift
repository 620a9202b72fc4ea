public import AlertCore

/// One message to one contact, with all that was done to get it there.
public struct NotificationDocument: Codable, Equatable, Sendable {
  public let key: String
  public let contact: ContactID
  public let kind: Notification.Kind
  public let sequence: Int
  public let decided: WallTime
  public let delivery: Notification.Delivery
  public let attempts: Int
  public let next: WallTime?
  public let lastError: String?
  public let position: IncidentDocument.Fix?
  /// Each time that it was handed out, and each answer.
  public let steps: [Step]

  public struct Step: Codable, Equatable, Sendable {
    /// Of the log's line that says so.
    public let line: Int64
    public let at: WallTime
    /// notified, delivered, deliveryFailed or withdrawn.
    public let result: String
    public let sink: String?
    public let next: WallTime?
    public let facts: Facts?
    /// The facts in words, for people alone.
    public let detail: String?
  }
}

extension NotificationDocument {
  /// - Parameter log: of the incident.
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
