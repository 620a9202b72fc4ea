import FobBase
import WireProtocol

/// The core of the alarm: every input in order, every effect out of it. Pure: the time is an
/// argument, and nothing is durable or delivered until an input says so.
///
/// ```
/// event → Custody: new? → PressDetector: what does it mean? → AlertEngine: what follows?
///       → commit (effect) → committed (input) → ack (effect)
/// ```
public struct AlertCore: Sendable {
  let policy: Policy
  var detector: PressDetector
  var engine: AlertEngine
  var custody: Custody
  private var outbox: Outbox
  var book = DeviceBook()
  /// What each line may bring about.
  private var paces: LinePaces
  /// When a person last asked for everything to be read anew (R28).
  var refreshedAt: Moment?
  /// What a start could not read, until somebody has seen to it.
  var damage: RecordsDamage?
  /// Where an event came from that is not yet committed, and so where its ack goes.
  private var origins: [EventIdentity: LinkID] = [:]
  private var questions: [Question] = []
  var lights = Lights()

  /// Of a person or program, answered when all that was decided until then is durable.
  private struct Question {
    let request: RequestID
    let refusal: Verb.Refusal?
    /// That holds the last of it.
    let batch: UInt64
  }

  /// - Parameters:
  ///   - channels: who is told beside the contacts and is no person.
  ///   - stored: what an earlier run left; its first wake sends what is due.
  public init(
    account: Account, channels: [Contact] = [], policy: Policy = Policy(),
    recovering stored: StoredState = StoredState(), at now: Moment
  ) {
    self.policy = policy
    paces = LinePaces(policy.eventPace, lasting: policy.lastingEventPace)
    detector = PressDetector(policy.profile)
    engine = AlertEngine(account, channels: channels, policy, at: now)
    outbox = Outbox(policy)
    custody = Custody(noteLatest: policy.noteLatest)
    custody.recover(stored)
    book.recover(stored.devices)
    damage = stored.damage
    engine.recover(stored, at: now)
    let withdrawn = outbox.recover(stored.notifications, open: engine.open?.id, at: now)
    detector.recover(stored.recent, at: now)
    var output = CoreOutput()
    if let current = engine.incident {
      output.note(Happening(.recovered, at: now, .state(current.state)), current.id)
      output.changed(current.id)
    }
    output.withdraw(withdrawn, at: now)
    engine.raiseAgain(stored.damage, at: now, &output)
    handOn(&output, at: now)
  }

  /// Takes one input. What follows from it is added to the output: it may hold what earlier steps
  /// have brought about and nobody has performed yet.
  public mutating func step(_ input: CoreInput, at now: Moment, into output: inout CoreOutput) {
    var asked: (RequestID, Verb.Refusal?)?
    switch input {
    case .event(let link, let record, let happenedAt):
      receive(HeardEvent(record, at: now, happenedAt: happenedAt), from: link, at: now, &output)
    case .barePress(let link, let identity):
      receive(
        HeardEvent(EventRecord(identity), isBare: true, at: now, happenedAt: nil), from: link,
        at: now, &output)
    case .committed(let batch): committed(batch, at: now, &output)
    case .commitFailed(let batch, let reason): failed(batch, reason, at: now, &output)
    case .answered(let key, let error): answered(key, error, at: now, &output)
    case .verb(let request, let verb, let who):
      let refusal = engine.perform(verb, by: who, at: now, &output)
      asked = (request, refusal)
    case .pinRefused(let request, let why, let who):
      let refused = Happening(why == .wrong ? .wrongPIN : .pinBlocked, at: now, by: who)
      output.note(refused, engine.open?.id ?? engine.history.ended)
      asked = (request, why.refusal)
    case .linkUp(let link, let hello): linkUp(link, hello, at: now, &output)
    case .linkDown(let link, let reason): linkDown(link, reason, at: now, &output)
    case .unavailable(let link, let reason):
      if book.cannotOpen(link, reason) {
        let trouble = Happening(.lineTrouble, at: now, .failure(reason))
        tell(trouble, .trouble, of: link, at: now, &output)
      }
    case .ways(let ways):
      engine.ways = ways
      outbox.know(ways)
    case .zone(let offset): book.zoneOffset = offset
    case .refreshed: refreshedAt = now
    case .damage(let damage): self.damage = damage
    case .missed(let link):
      if let device = book.device(on: link) { engine.age.missed(device, at: now) }
    case .clockMoved: engine.age.clockMoved()
    case .heartbeat(let link, let beat): heard(beat, from: link, at: now, &output)
    case .position(let link, let fix): heard(fix, from: link, at: now, &output)
    case .wake: break
    }
    passTime(to: now, &output)
    finish(asked, at: now, &output)
  }

  /// When `.wake` is next to be handed in. Mutating, as what it asks is, since only then each reads
  /// where it stands: copies of them took half of the time.
  public mutating func nextWake(after now: Moment) -> Moment? {
    var wake = Moment.earlier(engine.nextWake, detector.nextWake)
    wake = Moment.earlier(wake, Moment.earlier(outbox.nextWake, custody.nextWake))
    if let due = paces.due { wake = Moment.earlier(wake, now + (due - now.at)) }
    if case .open(.countdown(let ends))? = engine.open?.phase {
      let left = ends.since(now).microseconds
      let second = now + .microseconds(max(1, left % 1_000_000 == 0 ? 1_000_000 : left % 1_000_000))
      wake = Moment.earlier(wake, second)
    }
    return wake
  }

  /// What time alone has made known or due.
  private mutating func passTime(to now: Moment, _ output: inout CoreOutput) {
    for verdict in detector.due(at: now) { act(on: verdict, at: now, &output) }
    engine.wake(at: now, &output)
    for key in outbox.unanswered(at: now) { answered(key, "no answer", at: now, &output) }
    for (matter, held) in paces.takeHeld(at: now.at) { keep(held, matter, &output) }
  }

  // MARK: Events

  private mutating func receive(
    _ heard: HeardEvent, from link: LinkID, at now: Moment, _ output: inout CoreOutput
  ) {
    var event = heard
    let record = event.record
    let identity = record.identity
    let (state, isNumberReused) = custody.known.look(at: identity)
    switch state {
    case .committed:
      output.acks.append((link, EventAck(identity)))
      let again = Happening(.duplicate, at: now, of: identity, .remark(.ackedAgain))
      tell(again, .duplicate, of: link, at: now, &output)
      return
    case .pending:
      origins[identity] = link
      custody.hurry()
      return
    case .new: break
    }
    guard paces.decides(identity, from: link, at: now.at) else {
      leave(identity, on: link, .lineTooFast, at: now, &output)
      return
    }
    guard !custody.isFull || (record.identity.kind == .pressed && engine.open == nil) else {
      leave(identity, on: link, .storeBehind, at: now, &output)
      return
    }
    if isNumberReused {
      let reused = Happening(.numberReused, at: now, of: identity)
      tell(reused, .numberReused, of: link, at: now, &output)
    }
    output.changes.log.reserveCapacity(4)
    if let doubt = engine.age.heard(&event, isNumberReused: isNumberReused) {
      tell(doubt, at: now, &output)
    }
    var verdicts: [PressDetector.Verdict] = []
    let meaning = detector.hear(event, &verdicts)
    output.note(Happening(.event, at: now, of: identity, record.facts(meaning)))
    output.changes.events.append(
      CommittedEvent(
        record: record, meaning: meaning, incident: nil, receivedAt: now,
        happenedAt: event.happenedAt.map { $0.lowerBound + ($0.upperBound - $0.lowerBound) / 2 }))
    for verdict in verdicts { act(on: verdict, at: now, &output) }
    origins[identity] = link
  }

  // MARK: What presses mean

  /// One gesture raises once: its first press opens the incident or is told, the others are entries
  /// beside it.
  mutating func act(on verdict: PressDetector.Verdict, at now: Moment, _ output: inout CoreOutput) {
    let presses = verdict.presses
    if policy.profile != .literal, let first = presses.first {
      output.note(Happening(.pressDecoded, at: now, of: first.identity, verdict.reading))
    }
    for event in verdict.events where event.isRelease {
      output.changes.settle(event.identity, .noted, nil)
    }
    for (index, press) in presses.enumerated() {
      var incident: IncidentID?
      if verdict.meaning == .alarm {
        incident = engine.press(
          press, isAgeUnknown: verdict.isAgeUnknown, isFurther: index > 0, at: now, &output)
      } else {
        incident = engine.enter(
          press, isAgeUnknown: verdict.isAgeUnknown, silences: verdict.meaning == .acknowledge,
          at: now, &output)
      }
      output.changes.settle(press.identity, verdict.meaning, incident)
    }
    if case .slot(let slot) = verdict.meaning, let first = presses.first {
      output.note(Happening(.slotRequested, at: now, of: first.identity, .slot(slot)))
    }
  }

  // MARK: What is told of a line

  /// The device keeps it, and sends it again.
  private mutating func leave(
    _ identity: EventIdentity, on link: LinkID, _ why: Reason.Remark, at now: Moment,
    _ output: inout CoreOutput
  ) {
    let left = Happening(.leftToDevice, at: now, of: identity, .remark(why))
    tell(left, .left, of: link, at: now, &output)
  }

  /// Tells of what a device can bring about as often as it likes.
  /// - Returns: false where it is held back, and told with what comes after it.
  @discardableResult
  mutating func tell(
    _ happening: Happening, _ matter: LinePaces.Matter, of link: LinkID, at now: Moment,
    _ output: inout CoreOutput
  ) -> Bool {
    guard let told = paces.take(happening, matter, from: link, at: now.at) else { return false }
    keep(told, matter, &output)
    return true
  }

  private func keep(
    _ happening: Happening, _ matter: LinePaces.Matter, _ output: inout CoreOutput
  ) {
    if matter.isKept { output.note(happening) } else { output.events.append(happening) }
  }

  // MARK: The store's answers

  private mutating func committed(
    _ batch: UInt64, at now: Moment, _ output: inout CoreOutput
  ) {
    guard let done = custody.committed(batch) else { return }
    for identity in done.acks {
      if let link = origins.removeValue(forKey: identity) {
        output.acks.append((link, EventAck(identity)))
      }
      output.events.append(Happening(.committed, at: now, of: identity))
    }
    if let failure = done.healed {
      output.note(Happening(.storageHealed, at: now, .failure(failure.reason)))
    }
    if let loss = done.loss { output.events.append(loss) }
    outbox.settled(batch: batch, at: now)
    answer(upTo: batch, durable: true, &output)
  }

  private mutating func failed(
    _ batch: UInt64, _ reason: String, at now: Moment, _ output: inout CoreOutput
  ) {
    guard let isNews = custody.failed(batch, reason, retry: now + policy.commitRetry, at: now)
    else { return }
    if isNews { output.note(Happening(.commitFailed, at: now, .failure(reason))) }
    outbox.settled(batch: batch, at: now)
    answer(upTo: batch, durable: false, &output)
  }

  private mutating func answer(upTo batch: UInt64, durable: Bool, _ output: inout CoreOutput) {
    guard !questions.isEmpty else { return }
    for question in questions where question.batch <= batch {
      let answer = Answer(state: engine.state, refusal: question.refusal, isDurable: durable)
      output.answers.append((question.request, answer))
    }
    questions.removeAll { $0.batch <= batch }
  }

  // MARK: The sinks' answers

  private mutating func answered(
    _ key: String, _ error: String?, at now: Moment, _ output: inout CoreOutput
  ) {
    guard let notification = outbox.answered(key, error: error, at: now) else { return }
    output.changes.put(notification)
    let name: Happening.Name = error == nil ? .delivered : .deliveryFailed
    output.note(
      Happening(name, at: now, notification.facts(error)), notification.incident,
      contact: notification.contact.id)
    if error == nil { engine.accepted(notification, at: now, &output) }
  }

  // MARK: The end of a step

  /// What follows from what was decided, in this order.
  private mutating func finish(
    _ asked: (request: RequestID, refusal: Verb.Refusal?)?, at now: Moment,
    _ output: inout CoreOutput
  ) {
    // From now on it is known again who is in need.
    if engine.open != nil { damage?.isAlarmInDoubt = false }
    closeEnded(at: now, &output)
    handOut(at: now, &output)
    handOn(&output, at: now)
    if let asked {
      questions.append(
        Question(request: asked.request, refusal: asked.refusal, batch: custody.lastBatch))
      custody.expedite()
    }
    if let batch = custody.nextCommit(at: now) { output.commit = batch }
    indicate(at: now, &output)
    if !custody.hasUncommitted { answer(upTo: custody.lastBatch, durable: true, &output) }
  }

  /// Of an incident that ended nothing more is told but its end.
  private mutating func closeEnded(at now: Moment, _ output: inout CoreOutput) {
    guard let id = output.ended.take(), let ended = engine.history[id] else { return }
    output.withdraw(outbox.withdraw(id), at: now)
    for closing in engine.closings(of: ended, at: now) { output.tell(closing) }
  }

  /// Messages that may be told now.
  private mutating func handOut(at now: Moment, _ output: inout CoreOutput) {
    var (due, pointless) = outbox.takeDue(at: now, during: engine.toldIncident)
    output.withdraw(pointless, at: now)
    engine.telling(&due, &output)
    for notification in due {
      output.changes.put(notification)
      output.note(
        Happening(.notified, at: now, notification.facts(nil)), notification.incident,
        contact: notification.contact.id)
    }
    output.deliveries += due
  }

  /// What was decided is to become durable; what is told of it waits for that.
  private mutating func handOn(_ output: inout CoreOutput, at now: Moment) {
    engine.write(&output)
    custody.take(output.changes, at: now)
    for notification in output.told { outbox.add(notification, batch: custody.lastBatch) }
    output.changes = Changes()
    output.told.removeAll(keepingCapacity: true)
  }

  /// Something was decided that is not durable yet.
  public var hasUncommitted: Bool { custody.hasUncommitted }
}
