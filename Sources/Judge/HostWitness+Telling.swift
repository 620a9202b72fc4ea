import FobBase
import WireProtocol

/// Messages to people: in order, repeated only with cause, and closed at the end.
extension HostWitness {
  mutating func handedOut(_ message: Message, at now: Instant, _ violationLog: inout ViolationLog) {
    if isErased { accuseErased(message.text, at: now, &violationLog) }
    // A silent notification channel counts as having refused, which cannot be seen from outside.
    let before = keys[message.key]
    if let before, before.run == run, !before.isRefused, now - before.at < Rules.silent {
      violationLog.accuse(
        .toldAgainWithoutCause, at: now, "host \(index + 1) handed out \(message.text) again")
    }
    let isSilent = before.map { $0.hasSilence || !($0.isRefused || $0.isTold) } ?? false
    keys[message.key] = Handing(at: now, run: run, hasSilence: isSilent)
    lastHandedAt = now
    if message.kind == .message { return messageHandedOut(message, at: now, &violationLog) }
    if message.kind != .closing {
      untoldBy = nil
    } else if isTold, !isOpen(message.incident) {
      endToldAt = endToldAt ?? now
    }
    if before == nil || message.kind != .closing {
      checkConcerned(message, at: now, &violationLog)
    }
    payOwedWay(with: message, at: now, &violationLog)
    if message.kind != .closing { noteSequence(message, at: now, &violationLog) }
    let run = run
    let order = order
    change(message.incident) {
      $0.contacts[message.contact].handOut(message, at: now, run: run, order: order)
    }
  }

  /// Checks the timing of the first message with each sequence number in this run. Later ones to
  /// other contacts do not show when it was decided, since a silent channel holds them back.
  private mutating func noteSequence(
    _ message: Message, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    guard let record = records[message.incident], message.sequence > record.sequence else {
      change(message.incident) { $0.sequence = max($0.sequence, message.sequence) }
      return
    }
    let every = rules.messageEvery
    if message.kind == .again, let last = record.lastMessage(before: now),
      now < last + every - Rules.tolerance
    {
      let isDoubled = record.lastKind == .again && now - last < every - every.half
      violationLog.accuse(
        isDoubled ? .timerDoubled : .timerEarly, at: now,
        "host \(index + 1) handed out \(message.text)"
          + " \((last + every - now).microseconds) µs too early")
    }
    change(message.incident) {
      if message.kind == .again, let last = $0.lastMessage(before: now) {
        // It was decided when the interval was over and the alarm was sent, however long it was
        // held back.
        $0.decided(message: max(last + every, $0.sent?.at.earliest ?? .longAgo))
      }
      $0.sequence = message.sequence
      $0.lastKind = message.kind
    }
  }

  /// Nobody is told of an unclaimed incident, and only the account's contacts of the owner's alarm.
  /// A contact who was told by an earlier run that a bad disk has undone may still hear the end; so
  /// may one to whom that very message was handed out before, and who has left the account since.
  /// An end that closes another name, too, goes to all whom the account has by now: nobody knows
  /// who was told by that name.
  private func checkConcerned(
    _ message: Message, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    guard let record = records[message.incident] else { return }
    let contact = record.contacts[message.contact]
    guard !record.isForSomebody || !contact.isRecipient,
      message.kind != .closing || contact.lastHanded == 0,
      message.aliases.isEmpty || record.isUnclaimed || !account.tells(message.contact)
    else { return }
    violationLog.accuse(
      .wronglyTold, at: now,
      "host \(index + 1) handed out \(message.text), whom it does not concern")
  }

  /// Expects that somebody is told of an owned press that came at once and met no alarm of its own
  /// or only a countdown, whatever its keychain says of clocks and numbers. In `guarded` it may be
  /// a click, so nothing is expected.
  mutating func expectTold(_ keptAt: Instant, at now: Instant) {
    let isCountdown = standing.state == .alertCountdown
    guard !rules.isGuarded, !isLocked || isCountdown, untoldBy == nil,
      (0..<rules.contacts).contains(where: account.tells),
      now - keptAt <= Rules.atOnce, keptAt > lastEndedAt + Rules.atOnce
    else { return }
    untoldBy = now + (isCountdown ? .zero : rules.countdown) + Rules.startUp
  }

  /// When somebody must have been told: later where the channel may still be busy with an earlier
  /// message.
  var untoldDeadline: Instant? {
    untoldBy.map { max($0, lastHandedAt + Rules.silence + Rules.tolerance) }
  }

  mutating func told(_ message: Message, at now: Instant, _ violationLog: inout ViolationLog) {
    // A slow notification channel may have counted as refused meanwhile, or its answer may reach
    // another run.
    let run = run
    let isTimely =
      keys[message.key].map {
        $0.run == run && !$0.hasSilence && now - $0.at < Rules.silent
      } ?? false
    keys[message.key]?.isTold = true
    owedWays[message.key] = nil
    if message.kind == .message { return messages.told(message, at: now) }
    let order = order
    var isInOrder = true
    change(message.incident) {
      if isTimely {
        isInOrder = $0.contacts[message.contact].tell(message, run: run)
      } else if message.kind != .closing {
        $0.contacts[message.contact].wasRaised = true
      }
      $0.contacts[message.contact].answer(message, .told)
    }
    if !isInOrder {
      violationLog.accuse(
        .toldOutOfOrder, at: now, "host \(index + 1) told \(message.text) too late")
    }
    guard message.kind == .closing else { return }
    for name in [message.incident] + message.aliases where records[name] != nil {
      change(name) { $0.contacts[message.contact].closed = order }
    }
  }

  mutating func refused(_ message: Message, at now: Instant) {
    if var handing = keys[message.key] {
      handing.isRefused = true
      handing.hasSilence = handing.hasSilence || now - handing.at >= Rules.silent
      keys[message.key] = handing
    }
    if message.kind == .message { return }
    oweNextWay(
      of: message, after: records[message.incident]?.contacts[message.contact].last, at: now)
    change(message.incident) {
      $0.contacts[message.contact].answer(message, .refused(now))
    }
  }

  /// Checks that all recipients were told of an incident, once no fault is in force.
  func checkTold(
    _ record: IncidentRecord, _ incident: UInt64, calm: Instant?, at now: Instant,
    _ violationLog: inout ViolationLog
  ) {
    guard let calm, let sending = record.sending, record.isForSomebody else { return }
    let since = max(calm, max(sending.at.latest, startedAt))
    guard now - since >= max(rules.settleWithin, .seconds(60)) else { return }
    for (number, contact) in record.contacts.enumerated()
    where contact.isRecipient && !contact.wasRaised && !contact.isBeingTried(at: now) {
      violationLog.accuse(
        .nobodyTold, at: now,
        "host \(index + 1) has not told contact \(number + 1) of \(incident.incident)"
      )
    }
  }
}

extension Rules {
  /// A silent notification channel counts as having refused after 60 s.
  fileprivate static let silent = Interval.seconds(59)
}

extension Interval {
  fileprivate var half: Interval { Interval(microseconds: microseconds / 2) }
}

extension Message {
  var text: String {
    "\(kind.rawValue) \(sequence) of \(incident.incident) to contact \(contact + 1)"
  }
}
