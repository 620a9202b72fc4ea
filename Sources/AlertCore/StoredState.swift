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
  /// By keychain, what is kept of it beside its events.
  public var devices: [DeviceID: DeviceRecord]
  /// The incidents that triggers opened, the newest `Limits.seenTriggers`, oldest first.
  public var triggers: [IncidentID]
  /// What of all this could not be read.
  public var damage: RecordsDamage?

  /// Nothing stored, as at a first start, where no argument is given. `damage` is set afterwards.
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
  /// As the keychain sent it.
  public let record: EventRecord
  /// As stored last; `.open` means that the detector had not settled it.
  public let meaning: PressDetector.Meaning
  /// When it came, µs since 1970.
  public let receivedWall: Int64

  /// Made from a row of the store.
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

extension Position {
  /// A fix as the device reports it; nil without a position.
  init?(_ fix: PositionFix, at now: Timestamp) {
    guard fix.quality != .none, Self.isOnEarth(fix.latitude, fix.longitude) else { return nil }
    self.init(
      latitude: fix.latitude, longitude: fix.longitude, quality: fix.quality.rawValue,
      wall: now.wall)
  }
}

/// What a start found damaged in its records, until somebody has seen to it.
public struct RecordsDamage: Equatable, Sendable {
  /// What was found and what is left: a clause.
  public let words: String
  /// What a person can do.
  public let advice: String
  /// An alarm may have been open that cannot be read, and nothing goes on with it: a keychain that
  /// has no other news shows that it is not being helped.
  public var isAlarmInDoubt: Bool
  /// Incidents that are open by what is left of them: who was told of them, and whether of their
  /// end, is not known, so everyone is told once more.
  public let raisedAgain: [IncidentID]

  /// - Parameter words: a clause; no full stop, since `advice` follows it.
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
  /// One whose row was lost, by what else names it. One that may be open is taken to be sending:
  /// who was told is not known.
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
