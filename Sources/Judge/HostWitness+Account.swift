import FobBase
import WireProtocol

/// The account: owned keychains, contacts, and triggers from outside.
extension HostWitness {
  /// The core reports the account: when it starts, and at each change.
  mutating func accountSaid(
    _ said: AccountState, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    messages.accountSaid(said, at: now)
    if isErased, said.exists { accuseErased("an account", at: now, &violationLog) }
    if !said.exists, account.exists { accountErased(at: now) }
    defer {
      account = said
      weighCheckIns(at: now)
    }
    guard isRunning else {
      let expected = disk.account ?? firstAccount
      if firstAccount == nil { firstAccount = said }
      // After a lie the core's finding is believed.
      if disk.isUnsure { return disk.put(said, order: order) }
      guard let expected, said != expected else { return }
      violationLog.accuse(
        .stateForgotten, at: now, "host \(index + 1) started on an account that is not its disk's")
      return
    }
    if let contacts = said.contacts { sureContacts?.formIntersection(contacts) }
    let isAsked = requests.waits { said.follows(account, by: $0) }
    guard !isAsked || isLocked else { return }
    violationLog.accuse(
      .accountChanged, at: now,
      "host \(index + 1) changed its account "
        + (isAsked ? "in the middle of an alarm" : "otherwise than anybody had asked"))
  }

  /// An alarm of the account is open: nothing but the alarm can be reached.
  var isLocked: Bool { standing.state.isOpen && current?.isUnclaimed != true }

  /// People are told of the open incident.
  var isTold: Bool { standing.state.isTold && current?.isUnclaimed != true }

  /// Whether an incident is unclaimed: its keychain is not the account's now, or nobody is logged
  /// in.
  func isUnclaimed(_ incident: UInt64) -> Bool {
    names[incident].map { !account.owns($0.deviceID) } ?? false
  }

  /// Notes the owner of an incident that is seen for the first time in this run.
  mutating func noteOwner(of incident: UInt64) {
    let isUnclaimed = isUnclaimed(incident)
    let isTriggered = triggers.contains(incident)
    let account = account
    change(incident) {
      $0.isUnclaimed = isUnclaimed
      $0.isTriggered = isTriggered
      $0.address(account)
    }
  }

  func countdown(of incident: UInt64) -> Interval {
    triggers.contains(incident) ? rules.triggerCountdown : rules.countdown
  }

  /// An unclaimed incident may end when an administrator says so, or for a press of the account's
  /// own.
  func mayEndUnclaimed(at now: Instant) -> Bool {
    if requests.waits({ $0 == .endUnowned }) { return true }
    guard let ownersAt else { return isReadingAnew(at: now) }
    return rules.isGuarded ? now - max(ownersAt, startedAt) <= Rules.reading : ownersAt == now
  }

  private func isReadingAnew(at now: Instant) -> Bool {
    rules.isGuarded && now - startedAt <= Rules.reading
  }

  // MARK: Triggers

  /// A program has asked for an alarm.
  /// - Returns: whether the trigger must open an incident.
  mutating func triggered(_ incident: UInt64, by device: DeviceID, at now: Instant) -> Bool {
    guard account.owns(device), account.isProtecting else { return false }
    // A trigger that joined an open alarm is on no disk, so it may open an incident after a start.
    ownersAt = now
    let isNew = triggers.insert(incident).inserted
    guard isNew, !isLocked else { return false }
    owedTrigger = (incident, now)
    return true
  }

  /// An ended incident must not begin a second time, by whatever name it was asked for.
  func checkOpensOnce(_ incident: UInt64, at now: Instant, _ violationLog: inout ViolationLog) {
    guard let row = disk.rows[incident], !row.state.isOpen, disk.lastLie == 0 else { return }
    violationLog.accuse(
      .incidentInvented, at: now, "host \(index + 1) opened \(incident.incident) a second time")
  }
}
