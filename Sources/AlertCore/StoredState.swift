public import FobBase
public import WireProtocol

/// The state that an earlier run left in the store.
public struct StoredState: Sendable {
  /// The incident that is open, or ended and not yet resumed from.
  public var current: Incident?
  /// The last incident that ended by PIN: a press made before that joins it.
  public var lastDisarmed: Incident?
  /// Messages that are neither delivered nor withdrawn.
  public var notifications: [Notification]
  /// Committed events, oldest first.
  public var identities: [EventIdentity]
  /// The newest `Limits.recentEvents` of them, and all with an open meaning: the detector reads
  /// them again.
  public var recent: [StoredEvent]
  /// The records of the keychains.
  public var devices: [DeviceID: DeviceRecord]
  /// The incidents that triggers opened, the newest `Limits.seenTriggers`, oldest first.
  public var triggers: [IncidentID]
  /// Series of check-ins, what was asked, and settings.
  public var checkIns = StoredCheckIns()
  /// The slots of the five messages, and what was sent.
  public var messages = StoredMessages()
  /// What the owner wrote of alarms.
  public var reviews = StoredReviews()
  /// The latest session of breathing, its totals and the settings.
  public var exercises = StoredExercises()
  /// The owner's lines, and when they are reminded.
  public var affirmations = StoredAffirmations()
  /// Which reminders the owner gets, and the alarm whose review is to be reminded of.
  public var reminders = StoredReminders()
  /// What could not be read of all this; nil: nothing is damaged.
  public var damage: RecordsDamage?
  /// No earlier run had these records, so none has told anybody of anything.
  public var isNew = false

  /// Nothing stored, as at a first start, where no argument is given. `checkIns`, `messages`,
  /// `reviews`, `exercises`, `affirmations`, `reminders`, `damage` and `isNew` are set
  /// afterwards.
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

/// A committed event with its recorded meaning.
public struct StoredEvent: Equatable, Sendable {
  /// As the keychain sent it.
  public let record: EventRecord
  /// The meaning as last stored; `.open` means that the detector had not settled it.
  public let meaning: PressDetector.Meaning
  /// When it came, µs since 1970.
  public let receivedWall: Int64

  /// Made from a row of the store.
  public init(record: EventRecord, meaning: PressDetector.Meaning, receivedWall: Int64) {
    self.record = record
    self.meaning = meaning
    self.receivedWall = receivedWall
  }

  /// When it came, on this boot's clock, by way of the wall clock. Where the wall clock went back
  /// or a day has passed, a day ago: then nothing is waited for.
  func receivedAt(by now: Timestamp) -> Timestamp {
    let day = Interval.minutes(24 * 60)
    let (elapsed, overflow) = now.wall.subtractingReportingOverflow(receivedWall)
    guard !overflow, elapsed >= 0, elapsed < day.microseconds else { return now + (.zero - day) }
    return now + .microseconds(-elapsed)
  }
}

extension EventRecord {
  /// Without its position: the account does not allow that positions are used (R57).
  package var unlocated: EventRecord {
    var record = self
    record.position = EventPosition()
    return record
  }
}

extension Position {
  /// From the fix that a device reports; nil where it has no position or no place on earth.
  init?(_ fix: PositionFix, at now: Timestamp) {
    guard fix.quality != .none, Self.isOnEarth(fix.latitude, fix.longitude) else { return nil }
    self.init(
      latitude: fix.latitude, longitude: fix.longitude, quality: fix.quality.rawValue,
      wall: now.wall, accuracy: fix.accuracy == .max ? nil : fix.accuracy)
  }
}

/// Damage that a start found in the records, until somebody has seen to it.
public struct RecordsDamage: Equatable, Sendable {
  /// The damage and what is left, as a clause.
  public let words: String
  /// Advice for a person.
  public let advice: String
  /// An alarm may have been open that cannot be read, and so cannot go on: keychains with nothing
  /// else to show say that no help is coming.
  public var isAlarmInDoubt: Bool
  /// Incidents that look open in what is left of them. Nobody knows who was told of them or of
  /// their end, so everyone is told once more.
  public let raisedAgain: [IncidentID]

  /// - Parameters:
  ///   - words: a clause; no full stop, since `advice` follows it.
  ///   - advice: what a person can do about the damage.
  ///   - isAlarmInDoubt: whether an alarm may have been open that cannot be read any more.
  ///   - raisedAgain: incidents that look open, of which everyone is told once more.
  public init(
    words: String, advice: String, isAlarmInDoubt: Bool = false, raisedAgain: [IncidentID] = []
  ) {
    self.words = words
    self.advice = advice
    self.isAlarmInDoubt = isAlarmInDoubt
    self.raisedAgain = raisedAgain
  }
}

extension Incident {
  /// Rebuilds an incident whose row was lost, from what else names it. One that may be open counts
  /// as sending, since nobody knows who was told.
  package init(salvaged id: IncidentID, isOpen: Bool, openedWall: Int64, messages: Int) {
    let opened = Timestamp(boot: 0, instant: Instant(microseconds: 0), wall: openedWall)
    self.init(
      id, of: DeviceID(rawValue: id.device),
      isOpen ? .open(.sending(Stage.Sending(since: opened))) : .ended(End(isLeft: true)),
      at: opened)
    sounder = isOpen
    self.messages = messages
  }
}

extension Array {
  /// Appends a row in place of the one that has the same key.
  mutating func replace<Key: Equatable>(_ row: Element, by key: (Element) -> Key) {
    removeAll { key($0) == key(row) }
    append(row)
  }
}
