public import FobBase
public import WireProtocol

/// All changes of one transaction. Incidents, notifications, the account and device records are in
/// it once each, in their last state, and merged changes have each row of the check-ins once;
/// events and log entries are appended.
public struct Changes: Equatable, Sendable {
  /// Events that are new, in the order in which they came.
  public internal(set) var events: [HeardEvent] = []
  /// Meanings of earlier events that were open until now.
  public internal(set) var meanings: [EventIdentity: LateMeaning] = [:]
  /// Positions while people are told, in order.
  public internal(set) var track: [TrackPoint] = []
  /// Log entries, in order.
  public internal(set) var log: [AuditEvent] = []
  /// Whole records of the keychains whose record has changed.
  public internal(set) var devices: [DeviceID: DeviceRecord] = [:]
  /// Entries of the changed incidents that were proved after they were made.
  public internal(set) var proofs: [ProvedPress] = []
  // Lists, since a step changes one or two of each: a dictionary would cost a press an allocation
  // and some hashes.
  /// Each incident once, as it is last.
  package internal(set) var changedIncidents: [Incident] = []
  /// Each message once, as it is last.
  package internal(set) var messages: [Notification] = []
  /// Rows of the check-ins' tables, in order; a later one replaces an earlier one of the same row.
  public internal(set) var checkIns: [CheckInChange] = []
  /// Rows of the five messages, in order; a later one replaces an earlier one of the same row.
  public internal(set) var quickMessages: [MessageChange] = []
  /// Rows of the reviews, in order; a later one replaces an earlier one of the same row.
  public internal(set) var reviews: [ReviewChange] = []
  /// Rows of the exercises, in order; a later one replaces an earlier one of the same row.
  public internal(set) var exercises: [ExerciseChange] = []
  /// Rows of the affirmations, in order; a later one replaces an earlier one of the same row.
  public internal(set) var affirmations: [AffirmationChange] = []
  /// Rows of the reminders, in order; a later one replaces an earlier one of the same row.
  public internal(set) var reminders: [ReminderChange] = []
  /// The account is erased before all other rows are written, which are of what came after (R86).
  public internal(set) var erasesAccount = false
  /// Moves of presses to another account, or from one: each has another side.
  public internal(set) var moves: [Move] = []
  /// Counts the decisions of a run; of merged ones, the last. 0: not handed on yet.
  var decision: UInt64 = 0
  /// At most one. It is an array, since an account is large and most changes have none.
  var accounts: [Account] = []

  /// There is nothing to commit.
  public var isEmpty: Bool {
    events.isEmpty && meanings.isEmpty && track.isEmpty && log.isEmpty && devices.isEmpty
      && proofs.isEmpty && changedIncidents.isEmpty && messages.isEmpty && checkIns.isEmpty
      && quickMessages.isEmpty && reviews.isEmpty && exercises.isEmpty && affirmations.isEmpty
      && reminders.isEmpty && !erasesAccount && accounts.isEmpty && moves.isEmpty
  }

  /// The whole account; nil: it has not changed.
  public internal(set) var account: Account? {
    get { accounts.first }
    set { accounts = newValue.map { [$0] } ?? [] }
  }

  /// Sets an event's meaning and incident: in the event's own row if these changes have it, else as
  /// a late meaning.
  mutating func settle(
    _ identity: EventIdentity, _ meaning: PressDetector.Meaning, _ incident: IncidentID?
  ) {
    if let index = events.firstIndex(where: { $0.record.identity == identity }) {
      events[index].meaning = meaning
      events[index].incident = incident
    } else {
      meanings[identity] = LateMeaning(meaning: meaning, incident: incident)
    }
  }
}

/// The meaning of an event that became known after its row was made.
public struct LateMeaning: Equatable, Sendable {
  /// Replaces the `.open` of the event's row.
  public let meaning: PressDetector.Meaning
  /// The incident that it became an entry of; nil: none.
  public let incident: IncidentID?
}

/// One position of an incident's track (R55, G3).
public struct TrackPoint: Equatable, Sendable {
  /// The incident whose track it belongs to.
  public let incident: IncidentID
  /// When the position came to the core.
  public let at: Timestamp
  /// As the keychain reported it.
  public let position: Position
}

/// What the store has of one keychain beside its events.
public struct DeviceRecord: Codable, Equatable, Sendable {
  /// 0 to 100, as last read; nil: never read.
  public var batteryPercent: UInt8?
  /// The local day on which a low battery was last told, counted from 1970-01-01 (R34).
  public var lowBatteryDay: Int64?
  /// When it was first linked, µs since 1970.
  public var firstSeenWall: Int64?
  /// The version of its firmware, as it says itself.
  public var firmware: String?
  /// The nonce of a boot whose clock or numbers contradicted themselves, so that they prove
  /// nothing.
  public var doubtedBoot: UInt32?

  /// A new keychain's record, where no argument is given.
  public init(
    batteryPercent: UInt8? = nil, lowBatteryDay: Int64? = nil, firstSeenWall: Int64? = nil,
    firmware: String? = nil, doubtedBoot: UInt32? = nil
  ) {
    self.batteryPercent = batteryPercent
    self.lowBatteryDay = lowBatteryDay
    self.firstSeenWall = firstSeenWall
    self.firmware = firmware
    self.doubtedBoot = doubtedBoot
  }
}
