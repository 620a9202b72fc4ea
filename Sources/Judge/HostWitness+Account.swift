import FobBase
import WireProtocol

/// Whose keychains they are, who is told, and what a program may raise from outside.
extension HostWitness {
  /// The core says what the account is: when it starts, and when it has changed.
  mutating func accountSaid(
    _ said: AccountState, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    defer { account = said }
    guard isRunning else {
      let expected = disk.account ?? firstAccount
      if firstAccount == nil { firstAccount = said }
      // Of a disk that lied it is what the core finds.
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

  /// People are told of what is open.
  var isTold: Bool { standing.state.isTold && current?.isUnclaimed != true }

  /// Unclaimed: of a keychain that the account does not have now, or while nobody is logged in.
  func isUnclaimed(_ incident: UInt64) -> Bool {
    names[incident].map { !account.owns($0.deviceID) } ?? false
  }

  /// An incident is about to be opened, as far as is seen for the first time in this run.
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

  /// An unclaimed incident ends when an administrator says so, or for a press of the account's own.
  func mayEndUnclaimed(at now: Instant) -> Bool {
    if requests.waits({ $0 == .endUnowned }) { return true }
    guard let ownersAt else { return isReadingAnew(at: now) }
    return rules.isGuarded ? now - max(ownersAt, startedAt) <= Rules.reading : ownersAt == now
  }

  private func isReadingAnew(at now: Instant) -> Bool {
    rules.isGuarded && now - startedAt <= Rules.reading
  }

  // MARK: Triggers

  /// - Returns: whether it has to open an incident.
  mutating func triggered(_ incident: UInt64, by device: DeviceID, at now: Instant) -> Bool {
    guard account.owns(device), account.isProtecting else { return false }
    // One that joined an open alarm is on no disk, and may open one after a start.
    ownersAt = now
    let isNew = triggers.insert(incident).inserted
    guard isNew, !isLocked else { return false }
    owedTrigger = (incident, now)
    return true
  }

  /// An incident that is over begins no second time, by whatever name it was asked for.
  func checkOpensOnce(_ incident: UInt64, at now: Instant, _ violationLog: inout ViolationLog) {
    guard let row = disk.rows[incident], !row.state.isOpen, disk.lastLie == 0 else { return }
    violationLog.accuse(
      .incidentInvented, at: now, "host \(index + 1) opened \(incident.incident) a second time")
  }
}
