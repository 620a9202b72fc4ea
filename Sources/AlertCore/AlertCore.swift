import FobBase
public import WireProtocol

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
  private var unanswered: [(batch: UInt64, request: RequestID, refusal: Verb.Refusal?)] = []
  private var indicated: Indication?
  /// The lines that were told it, where not every keychain is the account's.
  private var indicatedTo: [LinkID] = []
  /// What the keychains of nobody show.
  private var indicatedToStrangers: [LinkID: Indication] = [:]

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
    custody.recover(stored.identities)
    book.recover(stored.devices)
    damage = stored.damage
    let open = stored.current.flatMap { $0.state.isOpen ? $0.id : nil }
    let withdrawn = outbox.recover(stored.notifications, open: open, at: now)
    engine.recover(stored, at: now)
    detector.recover(stored.recent, at: now)
    var turn = Turn()
    if let current = engine.incident {
      turn.note(Happening(.recovered, at: now, detail: current.state.rawValue), current.id)
      turn.changed(current)
    }
    turn.withdraw(withdrawn, at: now)
    engine.raiseAgain(stored.damage, at: now, &turn)
    engine.save(&turn)
    custody.take(turn.changes, at: now)
    for notification in turn.told { outbox.add(notification, batch: custody.lastBatch) }
  }

  public mutating func handle(
    _ input: CoreInput, at now: Moment, into effects: inout [CoreEffect]
  ) {
    var turn = Turn()
    switch input {
    case .event(let link, let record, let happenedAt):
      receive(
        HeardEvent(record, at: now, happenedAt: happenedAt), from: link, at: now, &turn, &effects)
    case .barePress(let link, let identity):
      receive(
        HeardEvent(EventRecord(identity), isBare: true, at: now, happenedAt: nil), from: link,
        at: now, &turn, &effects)
    case .committed(let batch): committed(batch, at: now, &turn, &effects)
    case .commitFailed(let batch, let reason): failed(batch, reason, at: now, &turn, &effects)
    case .answered(let key, let error): answered(key, error, at: now, &turn)
    case .verb(let request, let verb, let who):
      let refusal = engine.perform(verb, by: who, at: now, &turn)
      unanswered.append((0, request, refusal))
    case .linkUp(let link, let hello):
      engine.age.linkUp(hello.deviceID, hello, at: now)
      let up = Happening(.linkUp, at: now, device: hello.deviceID)
      let isTold = tell(up, .link, of: link, at: now, &turn)
      book.linkUp(link, hello, isKept: isTold, at: now, &turn)
      indicated = nil
      indicatedToStrangers[link] = nil
    case .linkDown(let link, let reason):
      let device = book.linkDown(link)
      indicatedToStrangers[link] = nil
      if let device {
        detector.lineLost(device)
        if book.entries[device]?.link == nil { engine.age.linkDown(device, at: now) }
      }
      tell(
        Happening(.linkDown, at: now, device: device, detail: reason), .link, of: link, at: now,
        &turn)
    case .unavailable(let link, let reason):
      if book.cannotOpen(link, reason) {
        tell(Happening(.lineTrouble, at: now, detail: reason), .trouble, of: link, at: now, &turn)
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
    case .heartbeat(let link, let beat): heard(beat, from: link, at: now, &turn)
    case .position(let link, let fix):
      book.heard(fix, from: link, at: now)
      if let device = book.device(on: link), !book.isOnSeveralLines(device),
        let position = Position(fix, at: now)
      {
        engine.located(device, position, at: now, &turn)
      }
    case .wake: break
    }
    for verdict in detector.due(at: now) { act(on: verdict, at: now, &turn) }
    engine.wake(at: now, &turn)
    for key in outbox.unanswered(at: now) { answered(key, "no answer", at: now, &turn) }
    for (matter, held) in paces.takeHeld(at: now.at) { keep(held, matter, &turn) }
    finish(&turn, at: now, &effects)
  }

  /// When `.wake` is next to be handed in. Mutating, as what it asks is, since only then each reads
  /// where it stands: copies of them took half of the time.
  public mutating func nextWake(after now: Moment) -> Moment? {
    var wake = Moment.earlier(engine.nextWake, detector.nextWake)
    wake = Moment.earlier(wake, Moment.earlier(outbox.nextWake, custody.nextWake))
    if let due = paces.due { wake = Moment.earlier(wake, now + (due - now.at)) }
    if engine.state == .alertCountdown, let ends = engine.incident?.countdownEnds {
      let left = ends.since(now).microseconds
      let second = now + .microseconds(max(1, left % 1_000_000 == 0 ? 1_000_000 : left % 1_000_000))
      wake = Moment.earlier(wake, second)
    }
    return wake
  }

  // MARK: Events

  private mutating func receive(
    _ heard: HeardEvent, from link: LinkID, at now: Moment, _ turn: inout Turn,
    _ effects: inout [CoreEffect]
  ) {
    var event = heard
    let record = event.record
    let identity = record.identity
    let (state, isNumberReused) = custody.known.look(at: identity)
    switch state {
    case .committed:
      effects.append(.ack(link, EventAck(identity)))
      let again = Happening(.duplicate, at: now, of: identity, detail: "committed: acked again")
      tell(again, .duplicate, of: link, at: now, &turn)
      return
    case .pending:
      origins[identity] = link
      custody.hurry()
      return
    case .new: break
    }
    guard paces.decides(identity, from: link, at: now.at) else {
      leave(identity, on: link, "too many events on its line", at: now, &turn)
      return
    }
    guard !custody.isFull || (record.identity.kind == .pressed && !engine.state.isOpen) else {
      leave(identity, on: link, "too many wait for the store", at: now, &turn)
      return
    }
    if isNumberReused {
      let reused = Happening(.numberReused, at: now, of: identity)
      tell(reused, .numberReused, of: link, at: now, &turn)
    }
    turn.changes.log.reserveCapacity(4)
    if let doubt = engine.age.heard(&event, isNumberReused: isNumberReused) {
      tell(doubt, at: now, &turn)
    }
    var verdicts: [PressDetector.Verdict] = []
    let meaning = detector.hear(event, &verdicts)
    turn.note(Happening(.event, at: now, of: identity, record.facts(meaning)))
    turn.changes.events.append(
      CommittedEvent(
        record: record, meaning: meaning, incident: nil, receivedAt: now,
        happenedAt: event.happenedAt.map { $0.lowerBound + ($0.upperBound - $0.lowerBound) / 2 }))
    for verdict in verdicts { act(on: verdict, at: now, &turn) }
    origins[identity] = link
  }

  /// The device keeps it, and sends it again.
  private mutating func leave(
    _ identity: EventIdentity, on link: LinkID, _ why: String, at now: Moment, _ turn: inout Turn
  ) {
    let left = Happening(.leftToDevice, at: now, of: identity, detail: why)
    tell(left, .left, of: link, at: now, &turn)
  }

  /// Tells of what a device can bring about as often as it likes.
  /// - Returns: false where it is held back, and told with what comes after it.
  @discardableResult
  private mutating func tell(
    _ happening: Happening, _ matter: LinePaces.Matter, of link: LinkID, at now: Moment,
    _ turn: inout Turn
  ) -> Bool {
    guard let told = paces.take(happening, matter, from: link, at: now.at) else { return false }
    keep(told, matter, &turn)
    return true
  }

  private func keep(_ happening: Happening, _ matter: LinePaces.Matter, _ turn: inout Turn) {
    if matter.isKept { turn.note(happening) } else { turn.say(happening) }
  }

  // MARK: The store's answers

  private mutating func committed(
    _ batch: UInt64, at now: Moment, _ turn: inout Turn, _ effects: inout [CoreEffect]
  ) {
    guard let done = custody.committed(batch) else { return }
    for identity in done.acks {
      if let link = origins.removeValue(forKey: identity) {
        effects.append(.ack(link, EventAck(identity)))
      }
      turn.say(Happening(.committed, at: now, of: identity))
    }
    if let failure = done.healed {
      turn.note(Happening(.storageHealed, at: now, detail: failure.reason))
    }
    if let loss = done.loss { turn.say(loss) }
    outbox.settled(batch: batch, at: now)
    answer(upTo: batch, durable: true, &effects)
  }

  private mutating func failed(
    _ batch: UInt64, _ reason: String, at now: Moment, _ turn: inout Turn,
    _ effects: inout [CoreEffect]
  ) {
    guard let isNews = custody.failed(batch, reason, retry: now + policy.commitRetry, at: now)
    else { return }
    if isNews { turn.note(Happening(.commitFailed, at: now, detail: reason)) }
    outbox.settled(batch: batch, at: now)
    answer(upTo: batch, durable: false, &effects)
  }

  private mutating func answer(
    upTo batch: UInt64, durable: Bool, _ effects: inout [CoreEffect]
  ) {
    for waiting in unanswered where waiting.batch <= batch {
      effects.append(
        .answer(
          waiting.request,
          Answer(state: engine.state, refusal: waiting.refusal, isDurable: durable)))
    }
    unanswered.removeAll { $0.batch <= batch }
  }

  // MARK: The sinks' answers

  private mutating func answered(
    _ key: String, _ error: String?, at now: Moment, _ turn: inout Turn
  ) {
    guard let notification = outbox.answered(key, error: error, at: now) else { return }
    turn.changes.put(notification)
    let name: Happening.Name = error == nil ? .delivered : .deliveryFailed
    turn.note(
      Happening(name, at: now, notification.facts(error)), notification.incident,
      contact: notification.contact.id)
    if error == nil { engine.accepted(notification, at: now, &turn) }
  }

  // MARK: The end of a turn

  private mutating func finish(
    _ turn: inout Turn, at now: Moment, _ effects: inout [CoreEffect]
  ) {
    // From now on it is known again who is in need.
    if engine.state.isOpen { damage?.isAlarmInDoubt = false }
    if let ended = turn.closed { close(ended, at: now, &turn) }
    var (due, pointless) = outbox.takeDue(at: now, during: engine.toldIncident)
    turn.withdraw(pointless, at: now)
    engine.stamp(&due)
    engine.telling(due)
    engine.save(&turn)
    for notification in due {
      turn.changes.put(notification)
      turn.note(
        Happening(.notified, at: now, notification.facts(nil)), notification.incident,
        contact: notification.contact.id)
    }
    custody.take(turn.changes, at: now)
    for notification in turn.told { outbox.add(notification, batch: custody.lastBatch) }
    for i in unanswered.indices where unanswered[i].batch == 0 {
      unanswered[i].batch = custody.lastBatch
      custody.expedite()
    }
    if let batch = custody.nextCommit(at: now) { effects.append(.commit(batch)) }
    for notification in due { effects.append(.deliver(notification)) }
    indicate(at: now, &effects)
    if !custody.hasUncommitted { answer(upTo: custody.lastBatch, durable: true, &effects) }
    for happening in turn.changes.log { effects.append(.tell(happening)) }
    for happening in turn.said { effects.append(.tell(happening)) }
  }

  private mutating func close(_ ended: Incident, at now: Moment, _ turn: inout Turn) {
    turn.withdraw(outbox.withdraw(ended.id), at: now)
    for closing in engine.closings(of: ended, at: now) { turn.tell(closing) }
  }

  // MARK: What is true now

  /// What the keychains of the account are to show.
  public func indication(at now: Moment) -> Indication {
    // What belongs to nobody is no alarm of the owner's.
    guard engine.incident?.isUnowned != true else { return Indication(state: .idle) }
    let shown: ShownState =
      switch engine.state {
      // Somebody may wait for help that nobody is asked for.
      case .noEmergency: damage?.isAlarmInDoubt == true ? .failed : .idle
      case .alertCountdown: .countdown
      case .emergencySending: .sending
      case .emergencySent:
        !custody.arePressesDurable(engine.incident!.id)
          ? .sending : engine.incident!.acknowledgedBy.isEmpty ? .accepted : .acknowledged
      case .emergencySendingFailed: .failed
      case .emergencyEnded: .ended
      }
    var left: UInt8 = 0
    if engine.state == .alertCountdown, let ends = engine.incident?.countdownEnds {
      left = UInt8(clamping: (ends.since(now).microseconds + 999_999) / 1_000_000)
    }
    return Indication(
      incident: engine.incident?.id.wire ?? 0, state: shown, detail: left,
      sounder: engine.incident?.sounder ?? false)
  }

  /// What a keychain of nobody's is to show: that its own press was not sent, else that it can be
  /// claimed (R3, G5).
  private func strangerIndication(_ device: DeviceID) -> Indication {
    guard engine.state.isOpen, let incident = engine.incident,
      incident.presses.contains(where: { $0.deviceID == device })
    else { return Indication(state: .unclaimed) }
    return Indication(incident: incident.id.wire, state: .failed, sounder: incident.sounder)
  }

  private mutating func indicate(at now: Moment, _ effects: inout [CoreEffect]) {
    let indication = indication(at: now)
    let linked = engine.ownsAll ? [] : book.linked
    let owned = linked.filter { engine.owns($0.device) }.compactMap(\.entry.link)
    // A keychain that was claimed meanwhile has been told that it is nobody's.
    if indication != indicated || owned != indicatedTo {
      indicated = indication
      indicatedTo = owned
      effects.append(.indicate(indication, to: engine.ownsAll ? nil : owned))
    }
    for link in owned { indicatedToStrangers[link] = nil }
    for (device, entry) in linked where !engine.owns(device) {
      guard let link = entry.link else { continue }
      let indication = strangerIndication(device)
      guard indicatedToStrangers[link] != indication else { continue }
      indicatedToStrangers[link] = indication
      effects.append(.indicate(indication, to: [link]))
    }
  }

  /// Something was decided that is not durable yet.
  public var hasUncommitted: Bool { custody.hasUncommitted }
}
