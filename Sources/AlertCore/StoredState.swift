public import WireProtocol

/// What an earlier run left in the store.
public struct StoredState: Sendable {
  /// The incident that is open, or ended and not yet resumed from.
  public var current: Incident?
  /// The last incident that ended by PIN: a press pressed before that joins it.
  public var lastDisarmed: Incident?
  /// Messages that are neither delivered nor withdrawn.
  public var notifications: [Notification]
  /// Committed events, oldest first.
  public var identities: [EventIdentity]

  public init(
    current: Incident? = nil, lastDisarmed: Incident? = nil, notifications: [Notification] = [],
    identities: [EventIdentity] = []
  ) {
    self.current = current
    self.lastDisarmed = lastDisarmed
    self.notifications = notifications
    self.identities = identities
  }
}
