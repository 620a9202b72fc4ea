import AlertCore
import Emulator
import FobBase
import WireProtocol

/// The processes of the cores: who leads, and what a leader does, as the bridge and the store's
/// engine do it.
extension LeadWorld {
  // MARK: Life of the process

  func start(_ core: LeadCore) {
    guard core.run == nil else { return }
    let run = LeadRun(holder: Hex.text(core.random.next(), digits: 16))
    core.run = run
    look(core, run)
  }

  func end(_ core: LeadCore, for span: Interval) {
    guard core.run != nil else { return }
    core.run = nil
    after(span) { [unowned self] in start(core) }
  }

  /// Ends, and lets another core take the store at once.
  func release(_ core: LeadCore, for span: Interval) {
    guard let run = core.run, core.pausedUntil <= now else { return }
    if run.core != nil, !run.isCommitting, let connection = run.connection {
      transact(
        core, run, on: connection, [.leader], patience: .seconds(1),
        passes: { $0.holder == run.holder }, apply: { ($0.holder, $0.name) = ("", "") },
        heard: { _ in })
    }
    end(core, for: span)
  }

  /// Another core has the store: whoever started this one starts it again.
  private func lost(_ core: LeadCore) { end(core, for: .seconds(1)) }

  // MARK: Standing by

  private func lookAgain(_ core: LeadCore, _ run: LeadRun) {
    after(.microseconds(.random(in: 100_000...500_000, using: &random))) { [unowned self] in
      by(core, run) { [unowned self] in look(core, run) }
    }
  }

  private func look(_ core: LeadCore, _ run: LeadRun) {
    run.connection = run.connection ?? connect(core)
    guard let connection = run.connection else { return unread(core, run) }
    let askedAt = core.clock.reading(at: now)
    let other = cores[1 - core.index]
    read(core, run, on: connection) { server in
      (server.rows, server.waitsForStandby(other.connections))
    } heard: { [unowned self] answer in
      guard let (rows, waits) = answer else { return unread(core, run) }
      let isSilent = run.watch.isSilent(
        rows.holder, beat: rows.beat, askedAt: askedAt, at: core.clock.reading(at: now))
      let isFree = ["", run.holder].contains(rows.holder) || rows.name == core.name
      guard isFree || (isSilent && !waits) else { return lookAgain(core, run) }
      take(from: rows, core, run, on: connection)
    }
  }

  private func unread(_ core: LeadCore, _ run: LeadRun) {
    run.connection = nil
    run.watch.forget()
    lookAgain(core, run)
  }

  private func take(
    from rows: LeadServer.Rows, _ core: LeadCore, _ run: LeadRun, on connection: Int
  ) {
    endConnections(of: rows.name, core, but: connection)
    let tookAt = core.clock.reading(at: now)
    transact(core, run, on: connection, [.leader, .core], patience: .seconds(10)) {
      $0.holder == rows.holder && $0.beat == rows.beat
    } apply: {
      ($0.holder, $0.name) = (run.holder, core.name)
      $0.beat += 1
      $0.writer = run.holder
      $0.epoch += 1
      $0.batch = 0
    } heard: { [unowned self] end in
      guard case .committed = end else {
        return end == .refused ? lookAgain(core, run) : unread(core, run)
      }
      raiseEpoch(core, run) { [unowned self] isKnown, _ in
        guard isKnown, let connection = run.connection else { return unread(core, run) }
        endConnections(of: rows.name, core, but: connection)
        load(core, run, tookAt: tookAt, on: connection)
      }
    }
  }

  private func endConnections(of name: String, _ core: LeadCore, but own: Int) {
    guard let other = cores.first(where: { $0.name == name }) else { return }
    let connections = other.connections.subtracting([own])
    server.end(connections)
    lose(connections, of: other)
    serve()
  }

  private func load(_ core: LeadCore, _ run: LeadRun, tookAt: Instant, on connection: Int) {
    read(core, run, on: connection) {
      $0.rows.tables
    } heard: { [unowned self] tables in
      guard let tables else { return unread(core, run) }
      witness.leads(run)
      run.proof = LeadProof(tookAt: tookAt)
      run.core = AlertCore(
        account: tables.account ?? account, recovering: tables.state, at: core.timestamp(at: now))
      beat(core, run)
      handle(.wake, core, run)
    }
  }

  // MARK: Leading

  private func beat(_ core: LeadCore, _ run: LeadRun) {
    func again() {
      after(LeadProof.interval) { [unowned self] in
        by(core, run) { [unowned self] in beat(core, run) }
      }
    }
    run.beatConnection = run.beatConnection ?? connect(core)
    guard let connection = run.beatConnection else { return again() }
    let askedAt = core.clock.reading(at: now)
    transact(core, run, on: connection, [.leader], patience: .seconds(3), waits: true) {
      $0.holder == run.holder
    } apply: {
      $0.beat += 1
    } heard: { [unowned self] end in
      switch end {
      case .committed: run.proof.beat(askedAt: askedAt)
      case .refused: return lost(core)
      case .cancelled, .locked, nil: run.beatConnection = nil
      }
      again()
    }
  }

  /// Runs the alarm core and performs its effects.
  func handle(_ input: CoreInput, _ core: LeadCore, _ run: LeadRun) {
    guard core.run === run, run.core != nil else { return }
    run.core!.step(input, at: core.timestamp(at: now), into: &run.output)
    var effects = LeadEffects(world: self, core: core, run: run)
    var output = CoreOutput()
    swap(&output, &run.output)
    output.perform(by: &effects)
    guard core.run === run else { return }
    let due = run.core!.nextWake(after: core.timestamp(at: now))?.at
    let wake = due.map { max(now, core.clock.hostInstant(dueAt: $0)) } ?? .never
    guard wake != run.wake else { return }
    run.wake = wake
    guard wake < schedule.end else { return }
    at(wake) { [unowned self] in
      by(core, run) { [unowned self] in
        guard run.wake == wake else { return }
        run.wake = .never
        handle(.wake, core, run)
      }
    }
  }

  // MARK: Batches

  /// Whether it is known what became of the batch without an answer, and whether it is durable.
  private typealias Settled = (_ isKnown: Bool, _ isDurable: Bool) -> Void

  fileprivate func commit(_ batch: CommitBatch, _ core: LeadCore, _ run: LeadRun) {
    let isEarly = mistake?.isDurableAtOnce() ?? false
    run.waiting.append((batch, isEarly))
    if isEarly {
      carry { [unowned self] in
        by(core, run) { [unowned self] in handle(.committed(batch.number), core, run) }
      }
    }
    commitNext(core, run)
  }

  private func commitNext(_ core: LeadCore, _ run: LeadRun) {
    guard !run.isCommitting, let (batch, isEarly) = run.waiting.first else { return }
    run.isCommitting = true
    run.waiting.removeFirst()
    func ended(isDurable: Bool) {
      run.isCommitting = false
      let end: CoreInput =
        isDurable
        ? .committed(batch.number) : .commitFailed(batch.number, reason: "the server is away")
      if !isEarly { handle(end, core, run) }
      commitNext(core, run)
    }
    settle(core, run) { [unowned self] isKnown, _ in
      guard isKnown else { return ended(isDurable: false) }
      send(batch.changes, core, run, isLast: false, ended)
    }
  }

  /// As the store looks at whose a batch is.
  private func passesFence(
    _ run: LeadRun, _ rows: LeadServer.Rows, ofEpoch epoch: Int64? = nil
  ) -> Bool {
    var passes = rows.writer == run.holder && epoch ?? rows.epoch == rows.epoch
    mistake?.fences(&passes)
    return passes
  }

  /// Sends it, and once more where it is sure that it did not arrive.
  private func send(
    _ changes: Changes, _ core: LeadCore, _ run: LeadRun, isLast: Bool,
    _ ended: @escaping (_ isDurable: Bool) -> Void
  ) {
    guard let connection = run.connection else { return ended(false) }
    let number = run.batches.next()
    let epoch = run.batches.epoch
    let skipped = run.written?.entries(in: changes) ?? 0
    transact(core, run, on: connection, [.core], patience: .seconds(10)) { [unowned self] in
      passesFence(run, $0, ofEpoch: epoch)
    } apply: { [unowned self] rows in
      rows.batch = number
      rows.tables.apply(changes)
      rows.log += changes.log.dropFirst(skipped)
      witness.committed(by: run, at: now)
    } heard: { [unowned self] answer in
      var end = answer
      if end != nil { mistake?.heard(&end!) }
      switch end {
      case .committed:
        run.written = nil
        ended(true)
      case .refused: lost(core)
      case .locked: ended(false)
      case .cancelled, nil:
        run.connection = nil
        run.batches.lostAnswer(WrittenBatch(changes, ids: nil))
        settle(core, run) { [unowned self] isKnown, isDurable in
          guard isKnown, !isDurable, !isLast else {
            if isDurable { run.written = nil }
            return ended(isDurable)
          }
          send(changes, core, run, isLast: true, ended)
        }
      }
    }
  }

  /// Asks what became of a batch whose answer was lost, and has a connection that works.
  private func settle(_ core: LeadCore, _ run: LeadRun, _ done: @escaping Settled) {
    guard run.batches.isUnsettled || run.connection == nil else { return done(true, false) }
    run.connection = connect(core)
    raiseEpoch(core, run, done)
  }

  /// Fences off what an earlier connection has under way.
  private func raiseEpoch(_ core: LeadCore, _ run: LeadRun, _ done: @escaping Settled) {
    guard let connection = run.connection else { return done(false, false) }
    transact(core, run, on: connection, [.core], patience: .seconds(10)) { [unowned self] in
      passesFence(run, $0)
    } apply: {
      $0.epoch += 1
    } heard: { [unowned self] end in
      switch end {
      case .committed(let epoch, let batch):
        var durable = run.batches.settle(epoch: epoch, last: batch)
        mistake?.settled(&durable)
        if let durable { run.written = durable }
        done(true, durable != nil)
      case .refused: run.core == nil ? done(false, false) : lost(core)
      case .cancelled, .locked, nil:
        run.connection = nil
        done(false, false)
      }
    }
  }

  // MARK: Messages

  fileprivate func deliver(_ notification: Notification, _ core: LeadCore, _ run: LeadRun) {
    run.messages.removeAll {
      $0.incident == notification.incident && $0.contact.id == notification.contact.id
    }
    run.messages.append(notification)
    sendNext(core, run)
  }

  private func sendNext(_ core: LeadCore, _ run: LeadRun) {
    guard !run.isSending, !run.messages.isEmpty else { return }
    run.isSending = true
    var isProved = run.proof.holds(at: core.clock.reading(at: now))
    mistake?.carries(&isProved)
    let place = run.messages.firstIndex { isProved || $0.isDueUnproved }
    let next = place.map { run.messages.remove(at: $0) }
    if let next { witness.tells(next, by: run, at: now) }
    let spent = Interval.microseconds(.random(in: 300...60_000, using: &random))
    after(next == nil ? .milliseconds(200) : spent) { [unowned self] in
      by(core, run) { [unowned self] in
        run.isSending = false
        if let next { handle(.answered(key: next.key, error: nil), core, run) }
        sendNext(core, run)
      }
    }
  }
}

private struct LeadEffects: EffectPerformer {
  let world: LeadWorld
  let core: LeadCore
  let run: LeadRun

  func goesOn() -> Bool { core.run === run }

  func acknowledge(_ ack: EventAck, on link: LinkID) { world.acknowledge(ack, on: link) }

  func commit(_ batch: CommitBatch) { world.commit(batch, core, run) }

  func deliver(_ notification: Notification) { world.deliver(notification, core, run) }

  func indicate(_ indication: Indication, to links: [LinkID]?) {}

  func answer(_ request: RequestID, _ answer: Answer) {}

  func tell(_ event: AuditEvent) {}
}
