import FobBase
import WireProtocol

@testable import AlertCore
@testable import Simulation

/// Makes one planted mistake wherever there is room for it.
final class Saboteur: Sabotage {
  let mistake: PlantedMistake
  private var heard: [Int: Set<EventIdentity>] = [:]
  private var offsets: [UInt32: Int64] = [:]
  private var heldBack: [Int: Notification] = [:]
  /// The firmware's side of it.
  private var tampering: FirmwareTampering
  private var ages: AgeMistakes

  init(_ mistake: PlantedMistake) {
    self.mistake = mistake
    tampering = FirmwareTampering(mistake)
    ages = AgeMistakes(mistake)
  }

  func polled(_ keychain: SimulatedKeychain) { tampering.polled(keychain) }
  func booted(_ keychain: SimulatedKeychain) { tampering.booted(keychain) }

  func recovers(_ stored: inout StoredState) {
    heard = [:]
    heldBack = [:]
    switch mistake {
    case .knownEventsForgotten: stored.identities = []
    case .holdForgottenByCrash: stored.recent.removeAll { $0.meaning == .open }
    case .emergencyForgotten: stored.current = nil
    case .deadlineForgotten:
      stored.current?.trackingSince = nil
      stored.current?.sentAt = nil
    case .outboxForgotten: stored.notifications = []
    default: break
    }
  }

  func hears(_ input: inout CoreInput, _ host: SimulatedHost) -> Bool {
    switch (mistake, input) {
    case (.olderByNumberAlone, _), (.olderByClockAlone, _): ages.hears(&input, host)
    case (.wrongPINDisarms, .verb(let request, .wrongPIN, _)): input = .verb(request, .disarm)
    case (.refusalTakenForAnswer, .answered(let key, .some)):
      input = .answered(key: key, error: nil)
    case (.clockJumpTrusted, .event(let link, let record, let happenedAt)):
      let nonce = record.identity.bootNonce
      let clock = Int64(record.identity.clock)
      guard let offset = offsets[nonce] ?? happenedAt.map({ $0.lowerBound - clock }) else { break }
      offsets[nonce] = offset
      input = .event(link, record, happenedAt: (clock + offset)...(clock + offset + 1))
      proveByClock(record.identity, clock + offset + 1, host)
    default: break
    }
    return true
  }

  /// As if a clock alone proved that a press is older than the disarm.
  private func proveByClock(_ press: EventIdentity, _ at: Int64, _ host: SimulatedHost) {
    guard let run = host.run, let endedAt = run.core.engine.lastDisarmed?.endedAt,
      at < endedAt.instant - 1_000_000
    else { return }
    run.core.engine.age = PressAge(at: endedAt)
    run.core.engine.lastDisarmed!.seenAtDisarm = [
      SeenEvent(
        device: press.deviceID.rawValue, number: .max, bootNonce: press.bootNonce,
        clock: press.clock &+ 1, receivedAt: endedAt, missedSince: endedAt)
    ]
  }

  func decided(_ effects: inout [CoreEffect], on input: CoreInput, _ host: SimulatedHost) {
    switch mistake {
    case .ackBeforeCommit, .duplicateAckedWhilePending, .duplicateNotAcked:
      mistakeAcks(&effects, on: input, host)
    case .failureAnsweredAsDurable, .answerBeforeCommit: mistakeAnswers(&effects, on: input)
    case .lightBeforeCommit: lightTooEarly(&effects, host)
    case .secondContactForgotten: dropDeliveries(&effects) { $0.contact.id != "0" }
    case .retryGivesUp: dropDeliveries(&effects) { $0.attempts > 1 }
    case .closingForgotten: dropDeliveries(&effects) { $0.kind == .closing }
    case .aliasesForgotten: dropAliases(&effects, host)
    case .messageDoubled:
      effects += effects.filter {
        if case .deliver(let n) = $0 { n.kind != .closing } else { false }
      }
    case .outboxReordered: reorder(&effects, host)
    case .cancelOvertakesRaise: overtake(&effects)
    case .olderByNumberAlone, .olderByClockAlone: ages.decided(&effects, on: input, host)
    default: break
    }
  }

  // MARK: Acks and answers

  private func mistakeAcks(
    _ effects: inout [CoreEffect], on input: CoreInput, _ host: SimulatedHost
  ) {
    guard case .event(let link, let record, _) = input else { return }
    let isNew = heard[host.index, default: []].insert(record.identity).inserted
    let isAcked = effects.contains { if case .ack = $0 { true } else { false } }
    switch mistake {
    case .ackBeforeCommit:
      if isNew, !isAcked { effects.append(.ack(link, EventAck(record.identity))) }
    case .duplicateAckedWhilePending:
      if !isNew, !isAcked { effects.append(.ack(link, EventAck(record.identity))) }
    default: effects.removeAll { if case .ack = $0 { true } else { false } }
    }
  }

  private func mistakeAnswers(_ effects: inout [CoreEffect], on input: CoreInput) {
    var isVerb: RequestID?
    if case .verb(let request, _, _) = input { isVerb = request }
    if mistake == .answerBeforeCommit {
      effects.removeAll { if case .answer = $0 { true } else { false } }
      if let isVerb {
        effects.append(
          .answer(isVerb, Answer(state: .emergencyEnded, refusal: nil, isDurable: true)))
      }
      return
    }
    effects = effects.map {
      guard case .answer(let request, let answer) = $0 else { return $0 }
      return .answer(
        request, Answer(state: answer.state, refusal: answer.refusal, isDurable: true))
    }
  }

  private func lightTooEarly(_ effects: inout [CoreEffect], _ host: SimulatedHost) {
    guard host.run?.core.engine.state == .emergencySent else { return }
    effects = effects.map {
      guard case .indicate(var indication, _) = $0, indication.state == .sending else { return $0 }
      indication.state = .accepted
      return .indicate(indication)
    }
  }

  // MARK: Messages

  private func dropDeliveries(
    _ effects: inout [CoreEffect], where isDropped: (Notification) -> Bool
  ) {
    effects.removeAll { if case .deliver(let message) = $0 { isDropped(message) } else { false } }
  }

  private func dropAliases(_ effects: inout [CoreEffect], _ host: SimulatedHost) {
    guard let engine = host.run?.core.engine else { return }
    effects = effects.map { effect in
      guard case .deliver(let closing) = effect, !closing.aliases.isEmpty,
        var incident = [engine.incident, engine.lastDisarmed].compactMap(\.self)
          .first(where: { $0.id == closing.incident })
      else { return effect }
      incident.aliases = []
      return .deliver(
        Notification(
          closing.kind, to: closing.contact, of: incident, sequence: closing.sequence,
          position: closing.position, at: closing.decidedAt))
    }
  }

  /// A message waits for the next one to the same contact, which goes first.
  private func reorder(_ effects: inout [CoreEffect], _ host: SimulatedHost) {
    effects = effects.flatMap { effect -> [CoreEffect] in
      guard case .deliver(let message) = effect, let contact = Int(message.contact.id) else {
        return [effect]
      }
      let place = host.index * 100 + contact
      if let before = heldBack.removeValue(forKey: place) {
        return [.deliver(message), .deliver(before)]
      }
      guard message.kind == .update else { return [effect] }
      heldBack[place] = message
      return []
    }
  }

  private func overtake(_ effects: inout [CoreEffect]) {
    for case .commit(let batch) in effects {
      for closing in batch.changes.notifications.values.sorted(by: { $0.key < $1.key })
      where closing.kind == .closing && closing.attempts == 0 { effects.append(.deliver(closing)) }
    }
  }
}
