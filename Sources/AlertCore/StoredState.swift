public import FobBase
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
  /// The newest `Limits.recentEvents` of them, and all whose meaning was still open: what goes
  /// through the detector again.
  public var recent: [StoredEvent]
  public var devices: [DeviceID: DeviceRecord]
  /// The incidents that triggers opened, the newest `Limits.seenTriggers`, oldest first.
  public var triggers: [IncidentID]
  /// What of all this could not be read.
  public var damage: RecordsDamage?

  public init(
    current: Incident? = nil, lastDisarmed: Incident? = nil, notifications: [Notification] = [],
    identities: [EventIdentity] = [], recent: [StoredEvent] = [],
    devices: [DeviceID: DeviceRecord] = [:], triggers: [IncidentID] = []
  ) {
    self.current = current
    self.lastDisarmed = lastDisarmed
    self.notifications = notifications
    self.identities = identities
    self.recent = recent
    self.devices = devices
    self.triggers = triggers
  }
}

/// A committed event with what was recorded of its meaning.
public struct StoredEvent: Equatable, Sendable {
  public let record: EventRecord
  public let meaning: PressDetector.Meaning
  /// When it came, µs since 1970.
  public let receivedWall: Int64

  public init(record: EventRecord, meaning: PressDetector.Meaning, receivedWall: Int64) {
    self.record = record
    self.meaning = meaning
    self.receivedWall = receivedWall
  }

  /// By the wall clock; where that has gone back, so long ago that nothing is waited for.
  func receivedAt(by now: Timestamp) -> Timestamp {
    let day = Interval.minutes(24 * 60)
    let (elapsed, overflow) = now.wall.subtractingReportingOverflow(receivedWall)
    guard !overflow, elapsed >= 0, elapsed < day.microseconds else { return now + (.zero - day) }
    return now + .microseconds(-elapsed)
  }
}
