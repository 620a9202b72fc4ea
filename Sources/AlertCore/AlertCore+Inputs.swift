import FobBase
import WireProtocol

/// All inputs but the events of keychains: time, answers of the store and the sinks, user commands.
extension AlertCore {
  /// Takes an input that is not a keychain's event.
  /// - Returns: the request that a person or program made by it; nil for all other inputs.
  mutating func take(
    _ input: CoreInput, at now: Timestamp, _ output: inout CoreOutput
  ) -> Asked? {
    switch input {
    case .event, .barePress, .unprovedPress, .wake: break
    case .committed(let batch): committed(batch, at: now, &output)
    case .commitFailed(let batch, let reason): failed(batch, reason, at: now, &output)
    case .answered(let key, let error): answered(key, error, at: now, &output)
    case .userCommand(let request, let userCommand, let who):
      return perform(userCommand, request, by: who, at: now, &output)
    case .pinRefused(let request, let why, let who):
      let refused = AuditEvent(why == .wrong ? .wrongPIN : .pinBlocked, at: now, by: who)
      output.note(refused, engine.open?.id ?? engine.history.ended)
      return (request, why.refusal, nil)
    case .linkUp(let link, let hello): linkUp(link, hello, at: now, &output)
    case .linkDown(let link, let reason): linkDown(link, reason, at: now, &output)
    case .unavailable(let link, let reason):
      if book.cannotOpen(link, reason) {
        let trouble = AuditEvent(.lineTrouble, at: now, .failure(reason))
        tell(trouble, .trouble, of: link, at: now, &output)
      }
    case .ways(let ways):
      engine.ways = ways
      outbox.know(ways)
      messages.know(ways)
      learnSlots()
    case .zoneTable(let zone):
      passCheckIns(at: now, &output)
      book.zone = zone
      checkIns.set(zone, at: now, &output)
      affirmations.zoneChanged()
      reminders.zoneChanged()
    case .clockFit(let link, let fit, let provenAt):
      learn(fit, provenAt: provenAt, on: link, at: now, &output)
    case .paired(let devices): book.paired = devices
    case .keyTrouble(let words): book.keyTrouble = words
    case .pairing(let device, let change, let who):
      book.pair(device, change != .ended)
      let (name, way): (AuditEvent.Name, Reason.Remark?) =
        switch change {
        case .byCable: (.keychainPaired, .byCable)
        case .byLabel: (.keychainPaired, .byLabel)
        case .ended: (.keychainUnpaired, nil)
        }
      output.note(AuditEvent(name, at: now, by: who, device: device, way.map { .remark($0) }))
    case .proof(let link, let proof): book.take(proof, on: link)
    case .movedHere(let moved): take(moved, at: now, &output)
    case .movedAway(let device, let move): give(device, move, at: now, &output)
    case .heardElsewhere(let identities): commitQueue.known.learn(identities)
    case .refreshed: refreshedAt = now
    case .damage(let damage): self.damage = damage
    case .missed(let link):
      if let device = book.device(on: link) { engine.age.missed(device, at: now) }
    case .clockMoved:
      engine.age.clockMoved()
      checkIns.clicks.clockMoved()
    case .heartbeat(let link, let beat): heard(beat, from: link, at: now, &output)
    case .position(let link, let fix): heard(fix, from: link, at: now, &output)
    }
    return nil
  }

  /// Why a companion changes nothing now; nil: it may.
  var companionRefusal: UserCommand.Refusal? {
    let account = engine.account
    guard account.exists else { return .noAccount }
    guard account.isLoggedIn else { return .notLoggedIn }
    return engine.isLocked ? .locked : nil
  }

  private mutating func perform(
    _ userCommand: UserCommand, _ request: RequestID, by who: String, at now: Timestamp,
    _ output: inout CoreOutput
  ) -> Asked {
    if case .checkIn(let command, let isProven) = userCommand {
      let done = perform(command, isProven: isProven, by: who, at: now, &output)
      return (request, done.refusal, done.series)
    }
    if case .message(let command, let isProven) = userCommand {
      let refusal = perform(command, isProven: isProven, by: who, at: now, &output)
      return (request, refusal, nil)
    }
    if case .review(let command, let isProven) = userCommand {
      let done = perform(command, isProven: isProven, by: who, at: now, &output)
      return (request, done.refusal, done.made)
    }
    if case .exercise(let command) = userCommand {
      return (request, perform(command, by: who, at: now, &output), nil)
    }
    if case .affirmation(let command) = userCommand {
      return (request, perform(command, by: who, at: now, &output), nil)
    }
    if case .remind(let settings) = userCommand {
      return (request, perform(settings, by: who, at: now, &output), nil)
    }
    if case .change(let change, _) = userCommand, takesPressBeingRead(change) {
      return (request, .locked, nil)
    }
    let (open, ended) = (engine.open?.id, engine.history.lastEnded)
    let refusal = engine.perform(userCommand, by: who, at: now, &output)
    if refusal == nil {
      switch userCommand {
      case .disarm, .cancel:
        if let open { askCheckInsAnew(after: open, at: now, &output) }
      case .change(.erase, _): eraseCompanions(at: now, &output)
      case .change(let change, _):
        if case .claim(_, _, let heard, let moved) = change {
          commitQueue.known.learn(heard)
          if let moved { take(moved, at: now, &output) }
        }
        // Protection may have begun or ended.
        checkIns.touch(at: now)
        learnSlots()
      case .resume:
        if let ended, !ended.isUnclaimed, ended.endReason != .moved {
          reviews.offer(ended, at: now, &output)
          reminders.expectReview(of: ended, at: now, &output)
        }
      default: break
      }
    }
    return (request, refusal, nil)
  }

  /// A press of a keychain that the account would give up is not understood yet: it may mean alarm.
  private func takesPressBeingRead(_ change: AccountChange) -> Bool {
    switch change {
    case .disconnect(let device): detector.isReading(of: device)
    case .logOut, .erase: detector.isReading(of: nil)
    default: false
    }
  }

  /// When `.wake` is next to be handed in. Mutating, since a non-mutating getter copies the parts
  /// that it asks: the copies took half of the time.
  public mutating func nextWake(after now: Timestamp) -> Timestamp? {
    var wake = Timestamp.earlier(engine.nextWake, detector.nextWake)
    wake = Timestamp.earlier(wake, Timestamp.earlier(outbox.nextWake, commitQueue.nextWake))
    wake = Timestamp.earlier(wake, checkIns.nextWake(after: now))
    wake = Timestamp.earlier(wake, messages.nextWake)
    wake = Timestamp.earlier(wake, exercises.nextWake)
    wake = Timestamp.earlier(wake, affirmations.nextWake(after: now))
    wake = Timestamp.earlier(wake, reminders.nextWake(after: now, mayTell: mayRemind))
    if let due = paces.due { wake = Timestamp.earlier(wake, now + (due - now.at)) }
    if case .open(.countdown(let ends))? = engine.openPhase {
      let left = ends.since(now).microseconds
      let second = now + .microseconds(max(1, left % 1_000_000 == 0 ? 1_000_000 : left % 1_000_000))
      wake = Timestamp.earlier(wake, second)
    }
    return wake
  }

  /// The owner is logged in, and no alarm is open.
  @inline(__always)
  private var mayRemind: Bool { engine.account.isActive && !engine.isLocked }

  /// Does what is due by the clock: meanings, timers, messages without an answer, held-back log
  /// entries.
  mutating func passTime(to now: Timestamp, _ output: inout CoreOutput) {
    for verdict in detector.due(at: now) { act(on: verdict, at: now, &output) }
    engine.wake(at: now, &output)
    passCheckIns(at: now, &output)
    messages.pass(at: now, &output)
    passExercises(at: now, &output)
    affirmations.pass(
      in: checkIns.zone, mayTell: mayRemind && reminders.settings.affirmations, at: now, &output)
    reminders.pass(in: checkIns.zone, of: reviews, mayTell: mayRemind, at: now, &output)
    for key in outbox.unanswered(at: now) { answered(key, "no answer", at: now, &output) }
    for (matter, held) in paces.takeHeld(at: now.at) { keep(held, matter, &output) }
  }

  // MARK: The store's answers

  private mutating func committed(
    _ batch: UInt64, at now: Timestamp, _ output: inout CoreOutput
  ) {
    guard let done = commitQueue.committed(batch) else { return }
    for (identity, link) in done.events {
      if let link { output.acks.append((link, EventAck(identity))) }
      output.events.append(AuditEvent(.committed, at: now, of: identity))
    }
    if let failure = done.healed {
      output.note(AuditEvent(.storageHealed, at: now, .failure(failure.reason)))
    }
    if let loss = done.loss { output.events.append(loss) }
    outbox.settled(upTo: done.decision, at: now)
    checkIns.committed(upTo: done.decision)
    messages.settled(upTo: done.decision, at: now)
    answer(upTo: done.decision, durable: true, &output)
  }

  private mutating func failed(
    _ batch: UInt64, _ reason: String, at now: Timestamp, _ output: inout CoreOutput
  ) {
    guard let failed = commitQueue.failed(batch, reason, retry: now + policy.commitRetry, at: now)
    else { return }
    if failed.isNews { output.note(AuditEvent(.commitFailed, at: now, .failure(reason))) }
    outbox.settled(upTo: failed.decision, at: now)
    messages.settled(upTo: failed.decision, at: now)
    answer(upTo: failed.decision, durable: false, &output)
  }

  mutating func answer(upTo decision: UInt64, durable: Bool, _ output: inout CoreOutput) {
    guard !questions.isEmpty else { return }
    for question in questions where question.decision <= decision {
      let answer = Answer(
        state: engine.state, refusal: question.refusal, isDurable: durable, made: question.made)
      output.answers.append((question.request, answer))
    }
    questions.removeAll { $0.decision <= decision }
  }

  // MARK: The sinks' answers

  private mutating func answered(
    _ key: String, _ error: String?, at now: Timestamp, _ output: inout CoreOutput
  ) {
    guard let notification = outbox.answered(key, error: error, at: now) else {
      return messages.answered(key, error, at: now, &output)
    }
    output.changes.put(notification)
    let name: AuditEvent.Name = error == nil ? .delivered : .deliveryFailed
    output.note(
      AuditEvent(name, at: now, notification.facts(error)), notification.incident,
      contact: notification.contact.id)
    if error == nil { engine.accepted(notification, at: now, &output) }
  }

  /// Hands out the messages that are due.
  mutating func handOut(at now: Timestamp, _ output: inout CoreOutput) {
    closeEnded(at: now, &output)
    var (due, pointless) = outbox.takeDue(at: now, during: engine.toldIncident)
    output.withdraw(pointless, at: now)
    engine.telling(&due, &output)
    for notification in due {
      output.changes.put(notification)
      output.note(
        AuditEvent(.notified, at: now, notification.facts(nil)), notification.incident,
        contact: notification.contact.id)
    }
    output.deliveries += due
    handOutMessages(at: now, &output)
  }
}
