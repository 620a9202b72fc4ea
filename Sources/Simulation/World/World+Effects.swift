import AlertCore
import Emulator
import FobBase
import Judge
import WireProtocol

/// Runs the core and performs its effects in their order; the process may be killed between any
/// two.
extension World {
  func handle(_ input: consuming CoreInput, _ run: HostRun, _ host: SimulatedHost) {
    if let sabotage, !sabotage.hears(&input, host) { return }
    run.core.step(input, at: host.timestamp(at: now), into: &run.output)
    sabotage?.decided(&run.output, on: input, host)
    if !run.output.isEmpty { perform(run, host) }
    while !run.later.isEmpty, host.run === run { take(run.later.removeFirst(), run, host) }
    guard run.areWaysToTell, host.run === run else { return }
    run.areWaysToTell = false
    tellWays(run, host)
  }

  /// Performs what the core has decided.
  private func perform(_ run: HostRun, _ host: SimulatedHost) {
    if host.zone != nil { nameRaised(run, host) }
    var effects = HostEffects(world: self, run: run, host: host)
    // Taken out meanwhile: it would be copied before it is performed.
    var output = CoreOutput()
    swap(&output, &run.output)
    output.perform(by: &effects)
    output.removeAll()
    swap(&output, &run.output)
  }

  private struct HostEffects: EffectPerformer {
    let world: World
    let run: HostRun
    let host: SimulatedHost

    func goesOn() -> Bool {
      guard let left = run.process.effectsUntilKill else { return true }
      run.process.effectsUntilKill = left - 1
      if left == 0 { world.kill(host, for: run.process.downFor) }
      return left > 0
    }

    func acknowledge(_ ack: EventAck, on link: LinkID) {
      guard link.rawValue < FeedTable.firstLink else {
        return world.acknowledgeFar(ack, on: link, run)
      }
      let index = link.rawValue
      world.see(
        .acked(host: host.index, ack.number, keychain: index, identityCRC: ack.identityCRC))
      let now = host.bootClock(at: world.now)
      if let frame = run.ends.sessions[index].acknowledge(ack, at: now) {
        world.send(frame, index, run.ends)
      }
    }

    func commit(_ batch: CommitBatch) {
      let changes = batch.changes
      run.process.commits.put(CommitLane.Work(batch: batch, host: host), at: world.now)
      world.see(
        .queues(
          host: host.index, events: changes.events.count, log: changes.log.count,
          deliveries: run.channels.map(\.count).max() ?? 0,
          line: run.ends.outboxes.map(\.count).max() ?? 0))
    }

    func deliver(_ notification: Notification) { world.deliver(notification, run, host) }

    func indicate(_ indication: Indication, to links: [LinkID]?) {
      // Where there are several accounts, "all lines" are those of this one.
      let own = world.isShared ? run.process.lines(of: host.account) : nil
      world.see(
        .indicated(
          host: host.index, incident: indication.incident, indication.state,
          sounder: indication.sounder, to: links.map { world.keychains(on: $0, run) } ?? own,
          due: indication.state == .due ? Int(indication.detail) : 0))
      for index in run.ends.sessions.indices
      where links?.contains(LinkID(rawValue: index)) ?? own?.contains(index) ?? true {
        let now = host.bootClock(at: world.now)
        if let frame = run.ends.sessions[index].indicate(indication, at: now) {
          world.send(frame, index, run.ends)
        }
      }
      world.indicateFar(indication, to: links, run)
    }

    func answer(_ request: RequestID, _ answer: Answer) {
      world.see(
        .answered(
          host: host.index, request: request.rawValue, Workflow(answer.state),
          isRefused: answer.refusal != nil, isDurable: answer.isDurable))
      guard run.changes.remove(request) != nil else { return }
      if answer.refusal == nil {
        run.areWaysToTell = true
        if world.isShared { world.learnDevices(run, host) }
      }
      if let device = run.claims.removeValue(forKey: request) {
        run.process.owners.endClaim(of: device, for: AccountNumber(index: host.account))
      }
    }

    func tell(_ event: AuditEvent) { world.tell(event, host) }
  }

  private func deliver(_ notification: Notification, _ run: HostRun, _ host: SimulatedHost) {
    let way = way(of: notification)
    let message = Message(notification, way: way)
    // The core has given that attempt up, since its notification channel was silent for too long.
    if let before = run.handedOut[message.key],
      now - before.at >= schedule.setting.policy.answerWithin
    {
      see(.refused(host: host.index, Message(notification, way: before.way)))
    }
    run.handedOut[message.key] = (now, way)
    see(.handedOut(host: host.index, message))
    publish(notification, in: .message, host)
    if let words = notification.words { publish(words, in: .message, host) }
    let lane = notification.kind == .message ? schedule.setting.ways + way : way
    if run.channels[lane].put(notification) { beginCall(lane, run, host) }
  }

  /// The notification channel of this attempt, chosen as `SinkQueues` does.
  private func way(of notification: Notification) -> Int {
    let ways = notification.contact.ways
    let names = schedule.setting.wayNames
    return notification.way(of: ways.isEmpty ? names : ways).flatMap(names.firstIndex) ?? 0
  }

  /// Tells the core which notification channels reach whom, as the bridge does at its start and
  /// after each answered change.
  func tellWays(_ run: HostRun, _ host: SimulatedHost) {
    let names = schedule.setting.wayNames
    guard !names.isEmpty else { return }
    let ways = run.core.account.contacts.map { ($0.id, names) }
    handle(.ways(Dictionary(ways) { $1 }), run, host)
  }

  private func tell(_ auditEvent: AuditEvent, _ host: SimulatedHost) {
    if auditEvent.name == .accountChanged, let run = host.run {
      see(.account(host: host.index, AccountState(run.core.account)))
    }
    tellCheckIn(auditEvent, host)
    tellExercise(auditEvent, host)
    publish(auditEvent, in: .stream, host)
    guard let transition = auditEvent.transition, let incident = auditEvent.incident else { return }
    let to = Workflow(transition.to)
    host.state = to
    see(
      .moved(
        host: host.index, incident: incident.wire, from: Workflow(transition.from), to: to))
  }

  // MARK: People

  /// - Parameter command: what the core is asked, where the request alone does not say it.
  func ask(
    _ userRequest: UserRequest, as command: UserCommand? = nil, _ host: SimulatedHost
  ) {
    guard let run = host.run else { return }
    // A new contact gets the next number, and this world has a limited number of places.
    if userRequest == .addContact,
      run.core.account.contacts.contains(where: { $0.place + 1 >= schedule.setting.places })
    {
      return
    }
    lastRequest += 1
    see(.asked(host: host.index, request: lastRequest, userRequest))
    let request = RequestID(rawValue: lastRequest)
    var userCommand = command ?? UserCommand(userRequest)
    if case .change(let change, let isProven) = userCommand {
      if case .claim(let device, let email, _, _) = change {
        let account = AccountNumber(index: host.account)
        guard run.process.owners.beginClaim(of: device, for: account) == nil else {
          return see(
            .answered(
              host: host.index, request: lastRequest, Workflow(run.core.state), isRefused: true,
              isDurable: true))
        }
        run.claims[request] = device
        userCommand = .change(
          .claim(device, email: email, heard: host.heardByOthers(from: [device.text])),
          isProven: isProven)
      }
      run.changes.insert(request)
    }
    handle(userCommand.map { .userCommand(request, $0) } ?? .pinRefused(request, .wrong), run, host)
    publish(run.core.status(at: host.timestamp(at: now)), in: .status, host)
    arm(run, host)
  }
}

extension UserCommand {
  /// Nil: the PIN was wrong.
  fileprivate init?(_ userRequest: UserRequest) {
    func changed(_ change: AccountChange) -> UserCommand { .change(change, isProven: true) }
    switch userRequest {
    case .acknowledge(let contact): self = .acknowledge(Contact.id(contact))
    case .disarm: self = .disarm
    case .cancel: self = .cancel
    case .silence: self = .silence
    case .quit: self = .quit
    case .resume: self = .resume
    case .endUnowned: self = .endUnowned
    case .logIn: self = changed(.logIn)
    case .logOut: self = changed(.logOut)
    case .protect: self = changed(.startProtection)
    case .claim(let device): self = changed(.claim(device, email: nil))
    case .disconnect(let device): self = changed(.disconnect(device))
    case .addContact:
      let number = ContactDraft.Number(number: "+15555550100", chosen: true)
      self = changed(.addContact(ContactDraft(name: "New contact", numbers: [number])))
    case .removeContact(let contact): self = changed(.removeContact(Contact.id(contact)))
    case .trigger(let device, let key, _):
      self = .trigger(Trigger(source: .fall, device: device, key: key))
    case .unprotect: self = changed(.stopProtection)
    case .erase: self = changed(.erase)
    case .addSeries, .editSeries, .removeSeries, .complete, .restore:
      guard let command = CheckInCommand(userRequest) else { return nil }
      self = .checkIn(command, isProven: true)
    case .fillSlot, .emptySlot, .sendMessage:
      guard let command = MessageCommand(userRequest) else { return nil }
      self = .message(command, isProven: true)
    case .startExercise, .stopExercise, .countItem, .clickBreathes, .saveTotals:
      guard let command = ExerciseCommand(userRequest) else { return nil }
      self = .exercise(command)
    case .addLine(let line): self = .affirmation(.add(line))
    case .beginReview, .saveAnswer, .completeReview, .deleteReview, .label, .wrongPIN: return nil
    }
  }
}
