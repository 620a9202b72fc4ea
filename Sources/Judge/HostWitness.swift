import FobBase
import WireProtocol

/// One host: what came into its core, what its disk holds, and what it said and did.
struct HostWitness: Sendable {
  struct Handing: Sendable {
    var at: Instant
    var run: Int
    var isRefused = false
    var isTold = false
    /// An attempt was given up in silence: the notification channel may still take it, at any time.
    var hasSilence = false
  }

  let index: Int
  let rules: Rules
  var disk = DiskRecord()
  private(set) var isRunning = false
  private(set) var startedAt = Instant(microseconds: 0)
  private(set) var run = 0
  /// Counts what is seen of this host.
  var order = 0
  private var down: DownTime?
  /// The wall clock had gone back when it started, and no row says so yet.
  private var owesRebase = false
  var standing = RestoredState()
  /// As the core says it is.
  var account = AccountState()
  /// What it was before any change of it was stored.
  var firstAccount: AccountState?
  /// Incidents that triggers may open.
  var triggers: Set<UInt64> = []
  /// A trigger that has to open an incident, and when it was asked for.
  var owedTrigger: (incident: UInt64, at: Instant)?
  /// When a press or a trigger of the account's own came last.
  var ownersAt: Instant?
  var records: [UInt64: IncidentRecord] = [:]
  /// Presses that came into its core, in any run, and the incidents that they may open.
  private var heard: Set<EventIdentity> = []
  private(set) var heardNumbers: [EventNumber: Int] = [:]
  private(set) var names: [UInt64: EventIdentity] = [:]
  private(set) var heardAt: Instant?
  /// When it was started on a disk that had lost meanings, perhaps: it reads those presses again.
  private var readsAnewFrom: Instant?
  /// Presses that came in this run and are not on the disk, with when they came.
  var unstored: [EventIdentity: Instant] = [:]
  /// Presses that were unclaimed when they came: no light of the account says anything of them.
  private(set) var strangers: Set<EventIdentity> = []
  /// Messages as they were handed out last, by their keys.
  var keys: [String: Handing] = [:]
  /// Messages that a notification channel has refused, and the next way of their contacts, which is
  /// due at once.
  var owedWays: [String: PendingChannel] = [:]
  /// Contacts whose ways the core has known since its start.
  var sureContacts = AccountState().contacts
  var requests = RequestRecord()
  /// Keychains to which it said "accepted" or "acknowledged" last, in this run: they may show it.
  var claims: Set<Int> = []
  private var fullQueues: UInt8 = 0
  /// Until when somebody is to be told of the press of a live finger.
  var untoldBy: Instant?
  var lastEndedAt = Instant.longAgo
  /// When the end of another incident than the open one was told, which that moment may have ended.
  var endToldAt: Instant?
  /// The last message of any kind, in any run.
  var lastHandedAt = Instant.longAgo

  init(_ index: Int, _ rules: Rules) {
    self.index = index
    self.rules = rules
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
    sureContacts = account.contacts
    startedAt = now
    run += 1
    standing = found
    // What it had heard and not understood it reads again.
    if hasLied, rules.isGuarded { readsAnewFrom = now }
    let isReading = disk.openPresses > 0 || readsAnewFrom == now
    if isReading { heardAt = now }
    let down = down ?? DownTime(since: now)
    if down.elapsed(at: now) != nil { loseWallClock { $0 != found.incident } }
    guard found.incident != 0 else { return }
    let isRebased = owesRebase
    if records[found.incident] == nil { noteOwner(of: found.incident) }
    let account = account
    change(found.incident) {
      $0.restart(in: found.state, after: down, isRebased: isRebased, at: now)
      $0.address(account)
    }
    if isReading { change(found.incident) { $0.mayEndEarly = true } }
    if down.elapsed(at: now) != nil, current?.hasGoneBack == true { owesRebase = true }
  }

  mutating func stopped(at now: Instant) {
    isRunning = false
    down = DownTime(since: now)
    unstored = [:]
    untoldBy = nil
    endToldAt = nil
    owedTrigger = nil
    owedWays = [:]
    ownersAt = nil
    requests.forgetWaiting()
    claims = []
  }

  mutating func rebooted(elapsedByWall: Interval, at now: Instant) {
    guard !isRunning else {
      loseWallClock { _ in true }
      return
    }
    down?.rebooted(elapsedByWall: elapsedByWall, at: now)
  }

  /// An incident that is over is among them: a disk that lied may open it again.
  private mutating func loseWallClock(of isConcerned: (UInt64) -> Bool) {
    for name in records.keys where isConcerned(name) { change(name) { $0.isWallUnknown = true } }
  }

  // MARK: Events

  /// - Parameter keptAt: when its keychain kept it, where that was seen.
  /// - Returns: whether this host has never heard that press.
  mutating func hear(_ event: Event, keptAt: Instant?, at now: Instant) -> Bool {
    let identity = event.identity
    guard event.isPress else { return false }
    if disk.entries[identity] == nil, unstored[identity] == nil {
      unstored[identity] = now
      let isOwn = account.owns(identity.deviceID)
      if isOwn, let keptAt { expectTold(keptAt, at: now) }
      if !isOwn { strangers.insert(identity) }
      // In `guarded` it is read later, by when the keychain may have been claimed.
      if isOwn || rules.isGuarded { ownersAt = now }
      let isLate = keptAt.map { now - $0 > Rules.outOfReach } ?? true
      pressed(isOwn: isOwn, isLate: isLate || event.flags.contains(.replayed), at: now)
    }
    guard heard.insert(identity).inserted else { return false }
    heardNumbers[identity.number, default: 0] += 1
    names[identity.incidentName] = identity
    return true
  }

  /// - Parameter isLate: it may be one of several made out of reach, of which only the first is
  ///   told.
  private mutating func pressed(isOwn: Bool, isLate: Bool, at now: Instant) {
    heardAt = now
    // A stranger's is an entry of the owner's alarm, and nothing follows from it.
    guard standing.state.isOpen, isOwn || current?.isUnclaimed == true else { return }
    let isCountdown = standing.state == .alertCountdown
    let isGuarded = rules.isGuarded
    change(standing.incident) {
      if isCountdown {
        $0.mayEndEarly = true
      } else if isGuarded {
        // What it means becomes known later, and may be no alarm.
        $0.press = TimeRange($0.press?.earliest ?? .longAgo, now + Rules.reading)
      } else {
        $0.press = TimeRange(now)
        if !isLate { $0.decided(message: now) }
        $0.acknowledge(false)
        $0.waitsFrom = now
      }
    }
  }

  func hasHeard(_ identity: EventIdentity) -> Bool { heard.contains(identity) }

  func acked(
    _ number: EventNumber, keychain: Int, identityCRC: UInt32, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    // What was true when the core said it may come by a bridge when the disk has lost it.
    let wasStored = rules.bridged.contains(keychain) && disk.hasLost(number, identityCRC)
    guard !disk.hasEntry(number, identityCRC), !wasStored else { return }
    violationLog.accuse(
      .ackBeforeCommit, at: now,
      "host \(index + 1) acked event \(number.text) to keychain \(keychain + 1),"
        + " and has it on no disk")
  }

  mutating func forgot(_ identities: [EventIdentity]) {
    disk.lose(identities, order: order)
    for name in records.keys { change(name) { $0.forgetDurable() } }
  }

  /// Another press than the one that opens this incident may be being read now, as far as can be
  /// seen.
  func isReadingOther(than incident: UInt64, at now: Instant) -> Bool {
    guard rules.isGuarded else { return false }
    return disk.openPresses + unstored.count > (triggers.contains(incident) ? 0 : 1)
      || readsAnewFrom.map { now - $0 <= Rules.reading } ?? false
  }

  /// A row of the incident is written: so is what the start has made of its times.
  mutating func rebaseStored() { owesRebase = false }

  // MARK: Queues

  mutating func queues(
    events: Int, log: Int, deliveries: Int, line: Int, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    // An event more may come with each input that a full queue does not refuse.
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

/// A notification channel that is to be tried, since the one before it has refused.
struct PendingChannel: Sendable {
  let message: Message
  let way: Int
  let at: Instant
}

/// Each of a contact's notification channels is tried at once after the one before has refused: one
/// that fails keeps a message from no other.
extension HostWitness {
  /// - Parameter last: what had been handed out last to that contact of that incident.
  mutating func oweNextWay(
    of message: Message, after last: ContactRecord.Handed?, at now: Instant
  ) {
    guard message.way + 1 < rules.ways, let last, last.message == message, last.outcome == .waits,
      last.run == run, sureContacts?.contains(message.contact) ?? true
    else { return }
    // Of an alarm that is over all but the end is withdrawn, and that waits for the next one's.
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
    // What is newer makes it pointless.
    owedWays = owedWays.filter {
      $0.value.message.contact != message.contact || $0.value.message.incident != message.incident
        || $0.value.message.sequence > message.sequence
    }
  }

  /// An alarm begins or ends: what waits of others is held back, or taken back.
  mutating func forgetOwedWays() { owedWays = [:] }

  var owedWaysDeadline: Instant? {
    owedWays.isEmpty ? nil : owedWays.values.map { $0.at + Rules.atOnce }.min()
  }
}
