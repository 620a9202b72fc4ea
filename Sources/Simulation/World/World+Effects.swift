import AlertCore
import Emulator
import FobBase
import Judge
import WireProtocol

/// The core and its effects, performed in order as the bridge performs them; between any two the
/// process may be killed.
extension World {
  func handle(_ input: consuming CoreInput, _ run: HostRun, _ host: SimulatedHost) {
    if let sabotage, !sabotage.hears(&input, host) { return }
    run.core.handle(input, at: host.moment(at: now), into: &run.effects)
    sabotage?.decided(&run.effects, on: input, host)
    guard !run.effects.isEmpty else { return }
    let effects = run.effects
    run.effects.removeAll(keepingCapacity: true)
    for effect in effects {
      if let left = run.effectsUntilKill {
        guard left > 0 else { return kill(host, for: run.downFor) }
        run.effectsUntilKill = left - 1
      }
      perform(effect, run, host)
    }
  }

  private func perform(_ effect: CoreEffect, _ run: HostRun, _ host: SimulatedHost) {
    switch effect {
    case .commit(let batch):
      run.commit = (batch, host.disk.fate(&host.random, at: now))
      see(
        .queues(
          host: host.index, events: batch.changes.events.count, log: batch.changes.log.count,
          deliveries: run.wayOut.count, line: run.outboxes.map(\.count).max() ?? 0))
    case .ack(let link, let ack):
      let index = link.rawValue
      see(
        .acked(
          host: host.index, ack.number, keychain: index, identityCRC: ack.identityCRC))
      if let frame = run.sessions[index].acknowledge(ack, at: host.bootClock(at: now)) {
        send(frame, index, run)
      }
    case .deliver(let notification): deliver(notification, run, host)
    case .indicate(let indication, _):
      see(
        .indicated(
          host: host.index, incident: indication.incident, indication.state,
          sounder: indication.sounder))
      for index in run.sessions.indices {
        for frame in run.sessions[index].indicate(indication, at: host.bootClock(at: now)) {
          send(frame, index, run)
        }
      }
    case .answer(let request, let answer):
      see(
        .answered(
          host: host.index, request: request.rawValue, Workflow(answer.state),
          isRefused: answer.refusal != nil, isDurable: answer.isDurable))
    case .tell(let happening): tell(happening, host)
    }
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

  /// What the watchers read: an incident that moves says from where to where.
  private func tell(_ happening: Happening, _ host: SimulatedHost) {
    guard happening.name == .stateChanged, let incident = happening.incident,
      let words = happening.detail?.split(separator: " "), words.count == 3,
      let from = Workflow(rawValue: String(words[0])), let to = Workflow(rawValue: String(words[2]))
    else { return }
    host.state = to
    see(.moved(host: host.index, incident: incident.wire, from: from, to: to))
  }

  // MARK: People

  func ask(_ wish: Wish, _ host: SimulatedHost) {
    guard let run = host.run else { return }
    lastRequest += 1
    see(.asked(host: host.index, request: lastRequest, wish))
    let verb: Verb =
      switch wish {
      case .acknowledge(let contact): .acknowledge("\(contact)")
      case .disarm: .disarm
      case .cancel: .cancel
      case .silence: .silence
      case .quit: .quit
      case .resume: .resume
      case .wrongPIN: .wrongPIN
      }
    handle(.verb(RequestID(rawValue: lastRequest), verb), run, host)
    arm(run, host)
  }
}
