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
    public let detail: String?
  }
}

extension NotificationDocument {
  /// - Parameter log: of the incident.
  init(_ notification: Notification, log: [LogLine]) {
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
    let contact = notification.contact.id
    let name = "\(notification.kind.rawValue) \(notification.sequence)"
    steps = log.filter { $0.contact == contact && Self.isStep($0, of: name) }.map { line in
      Step(
        line: line.id, at: WallTime(line.wall), result: line.name, sink: line.sink,
        next: line.nextWall.map { WallTime($0) }, detail: line.detail)
    }
  }

  private static let results: Set<String> = Set(
    [Happening.Name.notified, .delivered, .deliveryFailed, .withdrawn].map(\.rawValue))

  /// The detail of such a line begins with the message's kind and number, as in
  /// "raise 1, attempt 2: refused".
  private static func isStep(_ line: LogLine, of name: String) -> Bool {
    guard results.contains(line.name), let detail = line.detail, detail.hasPrefix(name) else {
      return false
    }
    return detail.dropFirst(name.count).first.map { $0 == "," || $0 == ":" } ?? true
  }
}

extension IncidentDocument.Fix {
  init(_ position: Position) {
    self.init(
      at: WallTime(position.wall), latitude: position.latitude, longitude: position.longitude,
      quality: position.quality)
  }
}
