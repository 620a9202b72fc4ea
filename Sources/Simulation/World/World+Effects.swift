import AlertCore
import Emulator
import FobBase
import Judge
import WireProtocol

/// The core and its effects, performed in the order that it gives them; between any two the process
/// may be killed.
extension World {
  func handle(_ input: consuming CoreInput, _ run: HostRun, _ host: SimulatedHost) {
    if let sabotage, !sabotage.hears(&input, host) { return }
    run.core.step(input, at: host.moment(at: now), into: &run.output)
    sabotage?.decided(&run.output, on: input, host)
    guard !run.output.isEmpty else { return }
    var effects = HostEffects(world: self, run: run, host: host)
    run.output.perform(by: &effects)
    run.output.removeAll()
  }

  private struct HostEffects: EffectPerformer {
    let world: World
    let run: HostRun
    let host: SimulatedHost

    func goesOn() -> Bool {
      guard let left = run.effectsUntilKill else { return true }
      run.effectsUntilKill = left - 1
      if left == 0 { world.kill(host, for: run.downFor) }
      return left > 0
    }

    func acknowledge(_ ack: EventAck, on link: LinkID) {
      let index = link.rawValue
      world.see(
        .acked(host: host.index, ack.number, keychain: index, identityCRC: ack.identityCRC))
      let now = host.bootClock(at: world.now)
      if let frame = run.sessions[index].acknowledge(ack, at: now) { world.send(frame, index, run) }
    }

    func commit(_ batch: CommitBatch) {
      run.commit = (batch, host.disk.fate(&host.random, at: world.now))
      world.see(
        .queues(
          host: host.index, events: batch.changes.events.count, log: batch.changes.log.count,
          deliveries: run.wayOut.count, line: run.outboxes.map(\.count).max() ?? 0))
    }

    func deliver(_ notification: Notification) { world.deliver(notification, run, host) }

    func indicate(_ indication: Indication, to links: [LinkID]?) {
      world.see(
        .indicated(
          host: host.index, incident: indication.incident, indication.state,
          sounder: indication.sounder))
      for index in links.map({ $0.map(\.rawValue) }) ?? Array(run.sessions.indices) {
        for frame in run.sessions[index].indicate(indication, at: host.bootClock(at: world.now)) {
          world.send(frame, index, run)
        }
      }
    }

    func answer(_ request: RequestID, _ answer: Answer) {
      world.see(
        .answered(
          host: host.index, request: request.rawValue, Workflow(answer.state),
          isRefused: answer.refusal != nil, isDurable: answer.isDurable))
    }

    func tell(_ event: Happening) { world.tell(event, host) }
  }

  private func deliver(_ notification: Notification, _ run: HostRun, _ host: SimulatedHost) {
    let message = Message(notification)
    // Its way out was silent for so long that the core has given that attempt up.
    if let before = run.handedOut[message.key],
      now - before >= schedule.setting.policy.answerWithin
    {
      see(.refused(host: host.index, message))
    }
    run.handedOut[message.key] = now
    see(.handedOut(host: host.index, message))
    if run.wayOut.put(notification) { beginCall(run, host) }
  }

  private func tell(_ happening: Happening, _ host: SimulatedHost) {
    guard let transition = happening.transition, let incident = happening.incident else { return }
    let to = Workflow(transition.to)
    host.state = to
    see(
      .moved(
        host: host.index, incident: incident.wire, from: Workflow(transition.from), to: to))
  }

  // MARK: People

  func ask(_ wish: Wish, _ host: SimulatedHost) {
    guard let run = host.run else { return }
    lastRequest += 1
    see(.asked(host: host.index, request: lastRequest, wish))
    let request = RequestID(rawValue: lastRequest)
    let verb: Verb? =
      switch wish {
      case .acknowledge(let contact): .acknowledge("\(contact)")
      case .disarm: .disarm
      case .cancel: .cancel
      case .silence: .silence
      case .quit: .quit
      case .resume: .resume
      case .wrongPIN: nil
      }
    handle(verb.map { .verb(request, $0) } ?? .pinRefused(request, .wrong), run, host)
    arm(run, host)
  }
}
