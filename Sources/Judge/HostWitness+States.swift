import FobBase
import WireProtocol

/// The states of an incident and their deadlines.
extension HostWitness {
  mutating func moved(
    _ incident: UInt64, from: Workflow, to: Workflow, calm: Instant?, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    let isContinued =
      standing.state == from && (from == .noEmergency || standing.incident == incident)
    if !from.canBecome(to) || !isContinued {
      violationLog.accuse(
        .stateOffGraph, at: now,
        "host \(index + 1) moved \(incident.incident) from \(from.rawValue) to \(to.rawValue), "
          + "being in \(standing.text)")
    }
    if from == .noEmergency {
      checkKnown(incident, at: now, &violationLog)
      let run = run
      // More presses than the one that opens it may be in reading now.
      let isReading = isReadingOther(than: incident, at: now)
      checkOpensOnce(incident, at: now, &violationLog)
      change(incident) {
        $0.open(at: now, run: run)
        $0.mayEndEarly = isReading
      }
      noteOwner(of: incident)
      if owedTrigger?.incident == incident { owedTrigger = nil }
    }
    if let record = records[incident], !record.isAccused {
      checkEarly(record, incident, from, to, at: now, &violationLog)
    }
    if to == .emergencyEnded, let record = records[incident], from.isTold {
      checkTold(record, incident, calm: calm, at: now, &violationLog)
    }
    begin(incident, to, at: now)
    if to.isTold != from.isTold { forgetOwedWays() }
    if from.isOpen, !to.isOpen, records[incident]?.isUnclaimed != true {
      lastEndedAt = now
      untoldBy = nil
      endToldAt = nil
    }
    standing = RestoredState(incident: to == .noEmergency ? 0 : incident, state: to)
    weighCheckIns(at: now)
  }

  private mutating func begin(_ incident: UInt64, _ state: Workflow, at now: Instant) {
    let begin = IncidentRecord.Begin(at: TimeRange(now), run: run)
    let countdown = countdown(of: incident)
    change(incident) {
      $0.isAccused = false
      switch state {
      case .alertCountdown: $0.countdownEnds = TimeRange(now + countdown)
      case .emergencySending:
        $0.sending = begin
        $0.decided(message: now)
      case .emergencySent:
        $0.sent = begin
        $0.waitsFrom = max($0.waitsFrom ?? now, now)
      case .emergencyEnded: $0.endedAt = now
      case .emergencySendingFailed, .noEmergency: break
      }
    }
  }

  private func checkEarly(
    _ record: IncidentRecord, _ incident: UInt64, _ from: Workflow, _ to: Workflow,
    at now: Instant, _ violationLog: inout ViolationLog
  ) {
    var earliest: Instant?
    switch (from, to) {
    case (.alertCountdown, .emergencySending):
      if !record.mayEndEarly { earliest = record.countdownEnds?.earliest }
    case (.emergencySending, .emergencySendingFailed):
      if record.isForSomebody { earliest = record.sending.map { $0.at.earliest + rules.failAfter } }
    case (_, .emergencyEnded):
      // Where no keychain is known a check-in counts as live: a bench alarm gives way to it.
      if raisedAt == now, account.keychains?.isEmpty ?? !knowsKeychain { return }
      if record.isUnclaimed ? mayEndUnclaimed(at: now) : requests.asksForEnd { return }
      guard from == .emergencySent else {
        violationLog.accuse(
          .timerEarly, at: now,
          "host \(index + 1) ended \(incident.incident) in \(from.rawValue), and nobody had asked")
        return
      }
      earliest = record.sent.map {
        max($0.at.earliest, record.press?.earliest ?? $0.at.earliest) + rules.tracking
      }
    default: return
    }
    guard let earliest, now < earliest - Rules.tolerance else { return }
    violationLog.accuse(
      .timerEarly, at: now,
      "host \(index + 1) moved \(incident.incident) to \(to.rawValue) "
        + "\((earliest - now).microseconds) µs too early")
  }

  /// Each incident must have the name of a press that came in or of a trigger: a quiet world raises
  /// no alarm.
  func checkKnown(_ incident: UInt64, at now: Instant, _ violationLog: inout ViolationLog) {
    guard names[incident] == nil, !triggers.contains(incident) else { return }
    violationLog.accuse(
      .incidentInvented, at: now, "host \(index + 1) has \(incident.incident), and no press made it"
    )
  }

  // MARK: Time

  /// The next thing that must happen, and by when, if nothing else happens first. Mutating, since a
  /// non-mutating getter copies all that the host has shown.
  var deadline: (at: Instant, rule: Violation.Rule, what: StaticString)? {
    mutating get {
      let own = deadlineOfIncident
      guard let due = checkInDeadline, own.map({ due.at < $0.at }) ?? true else { return own }
      return due
    }
  }

  private var deadlineOfIncident: (at: Instant, rule: Violation.Rule, what: StaticString)? {
    if let endToldAt {
      return (endToldAt, .toldOutOfOrder, "is on, and the end of another is told")
    }
    if let owed = owedWaysDeadline {
      return (owed, .wayForgotten, "has a contact whose next notification channel was not tried")
    }
    if let owedTrigger {
      return (owedTrigger.at + Rules.atOnce, .triggerIgnored, "is what is open, and no trigger's")
    }
    guard let untold = untoldDeadline else { return stateDeadline }
    guard let state = stateDeadline, state.at < untold else {
      return (untold, .pressUntold, "is what is open, and a press is told to nobody")
    }
    return state
  }

  private var stateDeadline: (at: Instant, rule: Violation.Rule, what: StaticString)? {
    guard isRunning, let record = current, !record.isAccused else { return nil }
    let earliest = startedAt + Rules.startUp
    switch standing.state {
    case .alertCountdown:
      return record.countdownEnds.map {
        (max($0.latest + Rules.tolerance, earliest), .timerMissing, "countdown goes on")
      }
    case .emergencySending:
      let within = record.isForSomebody ? rules.failAfter : .zero
      return record.sending.map {
        (max($0.at.latest + within + Rules.grace, earliest), .incidentOverdue, "is still sending")
      }
    case .emergencySent:
      return sentDeadline(record, earliest)
    default: return nil
    }
  }

  private func sentDeadline(
    _ record: IncidentRecord, _ earliest: Instant
  ) -> (at: Instant, rule: Violation.Rule, what: StaticString)? {
    guard let sent = record.sent else { return nil }
    var last = max(sent.at.latest, record.press?.latest ?? sent.at.latest)
    if rules.isGuarded, let heardAt { last = max(last, heardAt + Rules.reading) }
    let ends = max(last + rules.tracking + Rules.grace, earliest)
    guard !record.isAcknowledged, record.isForSomebody else {
      return (ends, .incidentOverdue, "is still tracked")
    }
    var told: Instant?
    for contact in record.contacts where contact.isRecipient {
      let handed = contact.last?.at ?? .longAgo
      told = min(told ?? handed, handed)
    }
    let from = max(told ?? .longAgo, max(record.waitsFrom ?? .longAgo, sent.at.latest))
    let next = max(from + rules.messageEvery + Rules.channel, earliest)
    return next < ends
      ? (next, .timerMissing, "is not told again") : (ends, .incidentOverdue, "is still tracked")
  }

  mutating func check(at now: Instant, _ violationLog: inout ViolationLog) {
    checkCheckIns(at: now, &violationLog)
    guard let deadline = deadlineOfIncident, deadline.at < now else { return }
    violationLog.accuse(
      deadline.rule, at: deadline.at,
      "host \(index + 1): \(standing.incident.incident) \(deadline.what)")
    switch deadline.rule {
    case .toldOutOfOrder: endToldAt = nil
    case .triggerIgnored: owedTrigger = nil
    case .wayForgotten: forgetOwedWays()
    case .pressUntold: untoldBy = nil
    default: change(standing.incident) { $0.isAccused = true }
    }
  }

  // MARK: What it says

  mutating func indicated(
    _ incident: UInt64, _ state: ShownState, to keychains: Set<Int>?, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    if incident == 0 {
      indicatedMessage(state, at: now, &violationLog)
    } else if state.isOpen {
      checkKnown(incident, at: now, &violationLog)
    }
    let told = keychains ?? Set(0..<rules.keychains)
    if state.isOfCompanion { dueTold.formUnion(told) } else { dueTold.subtract(told) }
    if state.claimsCalm { calmTold.formUnion(told) } else { calmTold.subtract(told) }
    exercises.indicated(state == .breathing, isLocked: isLocked, at: now)
    hiddenSince = state == .due && isLocked ? now : nil
    guard state.claimsHelp else { return claims.subtract(told) }
    claims.formUnion(told)
    guard incident != 0 else { return }
    // In `guarded`, or before a restart, only the host knows what undid the acknowledgement.
    if state == .accepted, records[incident]?.isAcknowledged == true {
      change(incident) {
        $0.acknowledge(false)
        $0.waitsFrom = now
      }
    }
    if state == .acknowledged, !isEverAcknowledged {
      violationLog.accuse(
        .lightBeforeCommit, at: now,
        "host \(index + 1) says acknowledged, and nobody has the alarm in hand")
    }
    let owed = unstored.keys.count { !strangers.contains($0) && !mayBeLeft.contains($0) }
    if owed > 0 {
      violationLog.accuse(
        .lightBeforeCommit, at: now,
        "host \(index + 1) says \(state), and \(owed) presses are not on its disk")
    }
    if disk.rows[incident] == nil, disk.lastLie == 0 {
      violationLog.accuse(
        .lightBeforeCommit, at: now,
        "host \(index + 1) says \(state), and \(incident.incident) is not on its disk")
    }
    if records[incident]?.contacts.contains(where: \.wasRaised) != true {
      violationLog.accuse(
        .lightBeforeCommit, at: now,
        "host \(index + 1) says \(state), and nobody was told of \(incident.incident)")
    }
  }
}
