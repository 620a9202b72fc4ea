import AlertCore
import Emulator
import FobBase
import WireProtocol

/// A host's disk, with its troubles. It has the rows of each account of the host's process.
final class Disk {
  /// What is durable together: at most one batch of each account.
  typealias Transaction = [(account: Int, changes: Changes)]

  /// The fate of one commit.
  struct Fate {
    /// When the store answers; `.never` while the disk hangs.
    var answersAt: Instant
    /// The answer; nil: committed.
    var failure: String?
  }

  /// Of each account, from 0.
  private(set) var tables: [Tables]
  /// No run has had it yet.
  var isNew = true
  var trouble: DiskTrouble?
  /// While it lies: the tables that it really has, and the changes that it only claims to have.
  private var flushed: [Tables]?
  private var unflushed: [Transaction] = []
  /// Written by a failed commit: a crash may bring it to light.
  private var limbo: Transaction?

  init(accounts: Int) { tables = Array(repeating: Tables(), count: accounts) }

  /// Decides the fate of a commit that begins now.
  func fate(_ random: inout SplitMix64, at now: Instant) -> Fate {
    let usual = now + .microseconds(.random(in: 80...2_000, using: &random))
    switch trouble {
    case nil, .lying: return Fate(answersAt: usual)
    case .slow:
      return Fate(answersAt: now + .microseconds(.random(in: 2_000...3_000_000, using: &random)))
    case .hanging: return Fate(answersAt: .never)
    case .full: return Fate(answersAt: usual, failure: "the disk is full")
    case .failingLate:
      return Fate(
        answersAt: now + .microseconds(.random(in: 2_000...500_000, using: &random)),
        failure: "an input/output error")
    }
  }

  func apply(_ transaction: Transaction) {
    limbo = nil
    if trouble == .lying {
      if flushed == nil { flushed = tables }
      unflushed.append(transaction)
    } else {
      flushed = nil
      unflushed = []
    }
    tables.apply(transaction)
  }

  func fail(_ transaction: Transaction) {
    limbo = trouble == .failingLate ? transaction : nil
  }

  /// After a crash the writes of a failed commit are found, or not.
  func recoverLimbo(_ random: inout SplitMix64) -> Transaction? {
    defer { limbo = nil }
    guard let limbo, Bool.random(using: &random) else { return nil }
    apply(limbo)
    return limbo
  }

  /// The host goes down: a lying disk loses what it had not flushed, from some commit on.
  /// - Returns: the lost events of each account that it had claimed; nil where it did not lie.
  func losePower(_ random: inout SplitMix64) -> [[EventIdentity]]? {
    guard var kept = flushed, !unflushed.isEmpty else { return nil }
    let count = Int.random(in: 0...unflushed.count, using: &random)
    for transaction in unflushed[..<count] { kept.apply(transaction) }
    let before = tables
    tables = kept
    flushed = trouble == .lying ? kept : nil
    let isForgetful = count < unflushed.count
    unflushed = []
    guard isForgetful else { return nil }
    return zip(before, kept).map { before, kept in
      before.events.map(\.record.identity).filter { !kept.holds($0) }
    }
  }
}

extension [Tables] {
  fileprivate mutating func apply(_ transaction: Disk.Transaction) {
    for (account, changes) in transaction {
      let others = indices.filter { $0 != account }
      let known = changes.events.map(\.record.identity).filter { identity in
        others.contains { self[$0].holds(identity) }
      }
      self[account].apply(changes, without: Set(known))
    }
  }
}

/// An account's rows, in the tables of the production store.
struct Tables {
  private(set) var events: [HeardEvent] = []
  /// Rows whose meaning became known after their own commit.
  private var late: [EventIdentity: LateMeaning] = [:]
  private var identities: Set<EventIdentity> = []
  private(set) var incidents: [IncidentID: Incident] = [:]
  /// Messages that are neither delivered nor withdrawn.
  private var notifications: [String: Notification] = [:]
  /// The account as last changed; nil: no commit has changed it.
  private(set) var account: Account?
  private var devices: [DeviceID: DeviceRecord] = [:]
  private(set) var checkIns = StoredCheckIns()
  private(set) var messages = StoredMessages()
  private(set) var reviews = StoredReviews()
  private(set) var exercises = StoredExercises()
  private var affirmations = StoredAffirmations()
  private var reminders = StoredReminders()

  /// - Parameter known: events that another account has: they are unique over all of them.
  mutating func apply(_ changes: Changes, without known: Set<EventIdentity> = []) {
    if changes.erasesAccount {
      incidents = incidents.mapValues(\.anonymous)
      checkIns = StoredCheckIns()
      messages = StoredMessages()
      reviews = StoredReviews()
      exercises = StoredExercises()
      affirmations = StoredAffirmations()
      reminders = StoredReminders()
    }
    for event in changes.events
    where !known.contains(event.record.identity)
      && identities.insert(event.record.identity).inserted
    {
      events.append(event)
    }
    late.merge(changes.meanings) { $1 }
    incidents.merge(changes.incidents) { $1 }
    if let changed = changes.account { account = changed }
    devices.merge(changes.devices) { $1 }
    for (key, notification) in changes.notifications {
      let isOver = notification.delivery == .delivered || notification.delivery == .withdrawn
      notifications[key] = isOver ? nil : notification
    }
    for change in changes.checkIns { checkIns.apply(change) }
    for change in changes.quickMessages { messages.apply(change) }
    for change in changes.reviews { reviews.apply(change) }
    for change in changes.exercises { exercises.apply(change) }
    for change in changes.affirmations { affirmations.apply(change) }
    for change in changes.reminders { reminders.apply(change) }
  }

  /// The one that began last of those that are so.
  func newest(_ isMeant: (Incident) -> Bool) -> Incident? {
    incidents.values.filter(isMeant).max {
      Self.precedes(($0.openedAt.wall, $0.id), ($1.openedAt.wall, $1.id))
    }
  }

  func holds(_ identity: EventIdentity) -> Bool { identities.contains(identity) }

  /// The state that the next run reads.
  var state: StoredState {
    let opened = incidents.values.filter { $0.state != .noEmergency }
    let disarmed = incidents.values.filter { $0.endReason == .disarmed }
    var stored = StoredState(
      current: opened.max { Self.precedes(($0.openedAt.wall, $0.id), ($1.openedAt.wall, $1.id)) },
      lastDisarmed: disarmed.max {
        Self.precedes(($0.endedAt!.wall, $0.id), ($1.endedAt!.wall, $1.id))
      },
      notifications: notifications.values.sorted { $0.key < $1.key },
      identities: events.map(\.record.identity),
      recent: recent,
      devices: devices,
      triggers: triggers)
    stored.checkIns = checkIns
    stored.messages = messages
    stored.reviews = reviews
    stored.exercises = exercises
    stored.affirmations = affirmations
    stored.reminders = reminders
    return stored
  }

  /// The incidents that triggers opened, the oldest first.
  private var triggers: [IncidentID] {
    let triggered = incidents.values.filter { $0.trigger != nil }
    guard triggered.count > 0 else { return [] }
    return triggered.sorted { Self.precedes(($0.openedAt.wall, $1.id), ($1.openedAt.wall, $0.id)) }
      .suffix(Limits.seenTriggers).map(\.id)
  }

  private static func precedes(_ a: (Int64, IncidentID), _ b: (Int64, IncidentID)) -> Bool {
    a.0 != b.0 ? a.0 < b.0 : a.1.wire < b.1.wire
  }

  private var recent: [StoredEvent] {
    let first = events.count - Limits.recentEvents
    return events.enumerated().compactMap { index, event in
      let meaning = late[event.record.identity]?.meaning ?? event.meaning
      guard index >= first || meaning == .open else { return nil }
      return StoredEvent(
        record: event.record, meaning: meaning, receivedWall: event.receivedAt.wall)
    }
  }
}
