import FobBase
import WireProtocol

/// Remembers one host: what came into its core, what its disk holds, and what it said and did.
struct HostWitness: Sendable {
  struct Handing: Sendable {
    var at: Instant
    var run: Int
    var isRefused = false
    var isTold = false
    /// An attempt was given up after silence: the notification channel may still take it, at any
    /// time.
    var hasSilence = false
  }

  let index: Int
  let rules: Rules
  var disk = DiskRecord()
  private(set) var isRunning = false
  private(set) var startedAt = Instant(microseconds: 0)
  private(set) var run = 0
  /// Counts the observations of this host.
  var order = 0
  private var down: DownTime?
  /// It was started after a reboot, and no row records its times by this boot yet.
  private var owesRebase = false
  var standing = RestoredState()
  /// The account as the core last reported it.
  var account = AccountState()
  /// The account before any change of it was stored.
  var firstAccount: AccountState?
  /// Incidents that triggers may open.
  var triggers: Set<UInt64> = []
  /// A trigger that must open an incident, and when it was asked for; nil: none.
  var owedTrigger: (incident: UInt64, at: Instant)?
  /// When the last owned press or trigger came; nil: none in this run.
  var ownersAt: Instant?
  var records: [UInt64: IncidentRecord] = [:]
  /// Presses that came into its core in any run, and the incidents that they may open.
  private var heard: Set<EventIdentity> = []
  private(set) var heardNumbers: [EventNumber: Int] = [:]
  private(set) var names: [UInt64: EventIdentity] = [:]
  private(set) var heardAt: Instant?
  /// This run has heard a keychain.
  private(set) var knowsKeychain = false
  /// When it was started on a disk that may have lost meanings: it reads those presses again.
  private var readsAnewFrom: Instant?
  /// Presses of this run that are not on the disk, with the time when they came.
  var unstored: [EventIdentity: Instant] = [:]
  /// Presses that were unclaimed when they came: the account's light says nothing of them.
  private(set) var strangers: Set<EventIdentity> = []
  /// Presses that came without proof alone, and that no keychain has kept, or behind so many others
  /// that a core may leave them to it: its light says nothing of them.
  private(set) var mayBeLeft: Set<EventIdentity> = []
  /// Presses without proof that this run has heard, and that were not on its disk.
  private var unprovedHeard = 0
  /// The last hand-out of each message, by key.
  var keys: [String: Handing] = [:]
  /// Refused messages, by key, with the contact's next notification channel, which is due at once.
  var owedWays: [String: PendingChannel] = [:]
  /// Contacts whose notification channels the core has known since its start; nil: all.
  var sureContacts = AccountState().contacts
  var requests = RequestRecord()
  var checkIns: CheckInWitness
  var messages: MessageWitness
  var exercises: ExerciseWitness
  var reviews: ReviewWitness
  /// A change of a companion was answered as not durable: it may be stored at any later time.
  var isCompanionLoose = false
  /// Its owner was told that the account is erased for good.
  var isErased = false
  /// Keychains whose last word in this run was that check-ins are due, or an exercise.
  var dueTold: Set<Int> = []
  /// Keychains whose last word in this run was that nothing is wrong.
  var calmTold: Set<Int> = []
  /// When it said so in the middle of an alarm, which may have ended at that moment.
  var hiddenSince: Instant?
  /// When a check-in last raised an alarm.
  var raisedAt = Instant.longAgo
  /// Until when no check-in could raise an alarm, and whether that was so when last looked at.
  var lastBlockedAt = Instant.longAgo
  var wasBlocked = false
  /// Keychains that it last told "accepted" or "acknowledged" in this run: they may show it.
  var claims: Set<Int> = []
  /// Somebody has ever asked it to note that a contact has an alarm in hand.
  var isEverAcknowledged = false
  private var fullQueues: UInt8 = 0
  /// When somebody must have been told of a live press; nil: nothing is expected.
  var untoldBy: Instant?
  var lastEndedAt = Instant.longAgo
  /// When the end of another incident than the open one was told; that moment may have ended both.
  /// Nil: it was not.
  var endToldAt: Instant?
  /// When the last message of any kind was handed out, in any run.
  var lastHandedAt = Instant.longAgo

  init(_ index: Int, _ rules: Rules) {
    self.index = index
    self.rules = rules
    checkIns = CheckInWitness(index)
    messages = MessageWitness(index)
    exercises = ExerciseWitness(index)
    reviews = ReviewWitness(index)
  }

  var current: IncidentRecord? { records[standing.incident] }

  mutating func change(_ name: UInt64, _ change: (inout IncidentRecord) -> Void) {
    change(&records[name, default: IncidentRecord(contacts: rules.contacts)])
  }

  // MARK: Its life

  mutating func started(_ found: RestoredState, at now: Instant, _ violationLog: inout ViolationLog)
  {
    let hasLied = disk.isUnsure
    if let expected = disk.isFound(found, order: order) {
      violationLog.accuse(
        .stateForgotten, at: now,
        "host \(index + 1) started in \(found.text), its disk held \(expected.text)")
    }
    isRunning = true
    knowsKeychain = false
    sureContacts = account.contacts
    startedAt = now
    run += 1
    standing = found
    // It reads again the presses whose meaning was open.
    if hasLied, rules.isGuarded { readsAnewFrom = now }
    let isReading = disk.openPresses > 0 || readsAnewFrom == now
    if isReading { heardAt = now }
    let down = down ?? DownTime(since: now)
    checkIns.started(at: now)
    if down.elapsed(at: now) != nil { loseWallClock { $0 != found.incident } }
    guard found.incident != 0 else { return }
    let owesRebase = owesRebase
    if records[found.incident] == nil { noteOwner(of: found.incident) }
    let account = account
    change(found.incident) {
      $0.restart(
        in: found.state, after: down,
        isRebased: owesRebase && ($0.hasGoneBack || $0.isWallUnknown), at: now)
      $0.address(account)
    }
    if isReading { change(found.incident) { $0.mayEndEarly = true } }
    if down.elapsed(at: now) != nil { self.owesRebase = true }
  }

  mutating func stopped(at now: Instant) {
    isRunning = false
    down = DownTime(since: now)
    unstored = [:]
    unprovedHeard = 0
    untoldBy = nil
    endToldAt = nil
    owedTrigger = nil
    owedWays = [:]
    ownersAt = nil
    requests.forgetWaiting()
    claims = []
    checkIns.stopped(at: now)
    exercises.stopped()
    isCompanionLoose = false
    dueTold = []
    calmTold = []
    hiddenSince = nil
  }

  mutating func rebooted(elapsedByWall: Interval, at now: Instant) {
    messages.clockSet()
    guard !isRunning else {
      loseWallClock { _ in true }
      return
    }
    down?.rebooted(elapsedByWall: elapsedByWall, at: now)
  }

  /// Ended incidents count, too: a disk that lied may open one again.
  private mutating func loseWallClock(of isConcerned: (UInt64) -> Bool) {
    for name in records.keys where isConcerned(name) { change(name) { $0.isWallUnknown = true } }
  }

  // MARK: Events

  /// - Parameters:
  ///   - keptAt: when its keychain kept it, where that was seen.
  ///   - isUnproved: it came without a proof.
  ///   - isOthers: another account of its process has it on the disk: it means nothing here.
  /// - Returns: whether this host has never heard that press.
  mutating func hear(
    _ event: Event, keptAt: Instant?, isUnproved: Bool = false, isOthers: Bool, at now: Instant
  ) -> Bool {
    let identity = event.identity
    if !isUnproved {
      mayBeLeft.remove(identity)
    } else if disk.entries[identity] == nil {
      unprovedHeard += 1
      if keptAt == nil || unprovedHeard > Rules.unprovedAtOnce { mayBeLeft.insert(identity) }
    }
    knowsKeychain = true
    guard event.isPress else { return false }
    if disk.entries[identity] == nil, unstored[identity] == nil, !isOthers {
      unstored[identity] = now
      let isOwn = account.owns(identity.deviceID)
      if isOwn, let keptAt { expectTold(keptAt, at: now) }
      if !isOwn { strangers.insert(identity) }
      // In `guarded` it is read later, when the keychain may have been claimed.
      if isOwn || rules.isGuarded { ownersAt = now }
      let isLate = keptAt.map { now - $0 > Rules.outOfReach } ?? true
      pressed(
        identity.deviceID, isOwn: isOwn,
        mayWait: isLate || isUnproved || event.flags.contains(.replayed), at: now)
    }
    guard heard.insert(identity).inserted else { return false }
    heardNumbers[identity.number, default: 0] += 1
    names[identity.incidentName] = identity
    checkIns.hear(identity)
    return true
  }

  /// - Parameter mayWait: it may be one of several made out of reach, of which only the first is
  ///   told, or one of several without proof, which are told together.
  private mutating func pressed(
    _ device: DeviceID, isOwn: Bool, mayWait: Bool, at now: Instant
  ) {
    heardAt = now
    // An unclaimed press is only an entry of the owner's alarm.
    guard standing.state.isOpen, isOwn || current?.isUnclaimed == true else { return }
    let isCountdown = standing.state == .alertCountdown
    let isGuarded = rules.isGuarded
    let opener = names[standing.incident]?.deviceID
    change(standing.incident) {
      $0.pressed(by: device, opener: opener)
      if isCountdown {
        $0.mayEndEarly = true
      } else if isGuarded {
        // Its meaning becomes known later, and may be no alarm.
        $0.press = TimeRange($0.press?.earliest ?? .longAgo, now + Rules.reading)
      } else {
        $0.press = TimeRange(now)
        if !mayWait, !$0.isOfSeveral { $0.decided(message: now) }
        $0.acknowledge(false)
        $0.waitsFrom = now
      }
    }
  }

  func hasHeard(_ identity: EventIdentity) -> Bool { heard.contains(identity) }

  /// - Parameter isOthers: another account of its process has the event on the disk.
  func acked(
    _ number: EventNumber, keychain: Int, identityCRC: UInt32, isOthers: Bool, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    // A bridge may bring an ack late: it was true when the core sent it, although the disk has lost
    // the event since.
    let wasStored = rules.bridged.contains(keychain) && disk.hasLost(number, identityCRC)
    guard !disk.hasEntry(number, identityCRC), !isOthers, !wasStored else { return }
    violationLog.accuse(
      .ackBeforeCommit, at: now,
      "host \(index + 1) acked event \(number.text) to keychain \(keychain + 1),"
        + " and has it on no disk")
  }

  mutating func forgot(_ identities: [EventIdentity]) {
    disk.lose(identities, order: order)
    isErased = false
    for name in records.keys { change(name) { $0.forgetDurable() } }
  }

  /// Another press than the one that opens this incident may be in reading now, as far as can be
  /// seen.
  func isReadingOther(than incident: UInt64, at now: Instant) -> Bool {
    guard rules.isGuarded else { return false }
    return disk.openPresses + unstored.count > (triggers.contains(incident) ? 0 : 1)
      || readsAnewFrom.map { now - $0 <= Rules.reading } ?? false
  }

  /// A row of the incident is written, with the times that the start has changed.
  mutating func rebaseStored() { owesRebase = false }

  // MARK: Queues

  mutating func queues(
    events: Int, log: Int, deliveries: Int, line: Int, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    // Each input that a full queue does not refuse may add an event.
    check(events, 4_096 + 64, 1, "events", at: now, &violationLog)
    check(log, 4_096, 2, "log lines", at: now, &violationLog)
    check(deliveries, 1_024, 4, "deliveries", at: now, &violationLog)
    check(line, 4_096, 8, "bytes for a line", at: now, &violationLog)
  }

  private mutating func check(
    _ count: Int, _ most: Int, _ bit: UInt8, _ what: StaticString, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    guard count > most else {
      fullQueues &= ~bit
      return
    }
    guard fullQueues & bit == 0 else { return }
    fullQueues |= bit
    violationLog.accuse(
      .queueOverLimit, at: now, "host \(index + 1) holds \(count) \(what), \(most) at most")
  }
}

extension RestoredState {
  var text: String { "\(state.rawValue) of \(incident.incident)" }
}

/// The notification channel that must be tried after a refusal.
struct PendingChannel: Sendable {
  let message: Message
  let way: Int
  let at: Instant
}

/// Checks that each notification channel of a contact is tried at once after the one before has
/// refused, so that one that fails keeps a message from no other.
extension HostWitness {
  /// - Parameter last: the last hand-out to that contact about that incident.
  mutating func oweNextWay(
    of message: Message, after last: ContactRecord.Handed?, at now: Instant
  ) {
    guard message.way + 1 < rules.ways, let last, last.message == message, last.outcome == .waits,
      last.run == run, sureContacts?.contains(message.contact) ?? true
    else { return }
    // Only the closing message is left of an ended alarm, and it waits while the next one is told.
    guard message.kind == .closing ? !isTold : isOpen(message.incident) else { return }
    owedWays[message.key] = PendingChannel(message: message, way: message.way + 1, at: now)
  }

  mutating func payOwedWay(
    with message: Message, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    guard !owedWays.isEmpty else { return }
    if let owed = owedWays.removeValue(forKey: message.key), owed.way != message.way {
      violationLog.accuse(
        .wayForgotten, at: now,
        "host \(index + 1) handed out \(message.text) to way \(message.way + 1),"
          + " not \(owed.way + 1)")
    }
    // A newer message replaces it.
    owedWays = owedWays.filter {
      $0.value.message.contact != message.contact || $0.value.message.incident != message.incident
        || $0.value.message.sequence > message.sequence
    }
  }

  /// An alarm begins or ends: waiting messages of others are held back or withdrawn.
  mutating func forgetOwedWays() { owedWays = [:] }

  var owedWaysDeadline: Instant? {
    owedWays.isEmpty ? nil : owedWays.values.map { $0.at + Rules.atOnce }.min()
  }
}
