import FobBase
import WireProtocol

@testable import AlertCore
@testable import Simulation

/// Makes one planted mistake wherever there is room for it.
final class Saboteur: MutationHook {
  let mistake: PlantedMistake
  private var heard: [Int: Set<EventIdentity>] = [:]
  private var offsets: [UInt32: Int64] = [:]
  private var heldBack: [Int: Notification] = [:]
  /// The firmware's side of it.
  private var tampering: FirmwareTampering
  private var ages: AgeMistakes
  private var accounts: AccountMistakes
  private var neighbors: NeighborMistakes
  private var feeds: FeedMistakes
  private let checkIns: CheckInMistakes
  private let messages: MessageMistakes
  private var calm: CalmMistakes
  private var seals: SealMistakes

  init(_ mistake: PlantedMistake) {
    self.mistake = mistake
    tampering = FirmwareTampering(mistake)
    ages = AgeMistakes(mistake)
    accounts = AccountMistakes(mistake)
    neighbors = NeighborMistakes(mistake)
    feeds = FeedMistakes(mistake)
    checkIns = CheckInMistakes(mistake)
    messages = MessageMistakes(mistake)
    calm = CalmMistakes(mistake)
    seals = SealMistakes(mistake)
  }

  func polled(_ keychain: SimulatedKeychain, _ key: PairingKey?) {
    tampering.polled(keychain)
    seals.repeatKey(keychain, key)
  }

  func booted(_ keychain: SimulatedKeychain) {
    tampering.booted(keychain)
    seals.booted(keychain)
  }

  func hears(_ bytes: [UInt8], _ keychain: SimulatedKeychain, at now: Instant) -> [UInt8] {
    seals.hears(bytes, keychain, at: now)
  }

  func reads(
    _ bytes: [UInt8], from line: Int, _ session: HostSession, _ key: PairingKey?
  ) -> [UInt8] {
    seals.reads(bytes, from: line, session, key)
  }

  func recovers(_ stored: inout StoredState, _ account: inout Account, _ host: SimulatedHost) {
    heard = [:]
    heldBack = [:]
    accounts.recovers(&stored, &account, host)
    neighbors.recovers(&stored, host)
    checkIns.recovers(&stored)
    messages.recovers(&stored)
    calm.recovers(&stored)
    switch mistake {
    case .knownEventsForgotten: stored.identities = []
    case .holdForgottenByCrash: stored.recent.removeAll { $0.meaning == .open }
    case .emergencyForgotten: stored.current = nil
    case .deadlineForgotten: stored.current?.forgetDeadlines()
    case .outboxForgotten: stored.notifications = []
    default: break
    }
  }

  func passes(_ input: CoreInput, to account: inout Int, of hosts: [SimulatedHost]) {
    neighbors.passes(input, to: &account, of: hosts)
  }

  func hears(_ input: inout CoreInput, _ host: SimulatedHost) -> Bool {
    neighbors.hears(input, host)
    switch (mistake, input) {
    case (.olderByNumberAlone, _), (.olderByClockAlone, _): ages.hears(&input, host)
    case (.wrongPINDisarms, .pinRefused(let request, _, _)): input = .userCommand(request, .disarm)
    case (.refusalTakenForAnswer, .answered(let key, .some)):
      input = .answered(key: key, error: nil)
    case (.clockJumpTrusted, .event(let link, let record, let happenedAt)):
      let nonce = record.identity.bootNonce
      // A defective keychain may name any clock.
      let years = -Int64(1) << 60...Int64(1) << 60
      guard let clock = Int64(exactly: record.identity.clock), years.contains(clock),
        let offset = offsets[nonce]
          ?? happenedAt.map({ $0.clamped(to: years).lowerBound - clock })
      else { break }
      offsets[nonce] = offset
      input = .event(link, record, happenedAt: (clock + offset)...(clock + offset + 1))
      proveByClock(record.identity, clock + offset + 1, host)
    default: break
    }
    checkIns.hears(&input, host)
    messages.hears(host)
    calm.hears(input, host)
    return seals.hears(&input, host) && accounts.hears(&input, host)
  }

  /// As if a clock alone proved that a press is older than the disarm.
  private func proveByClock(_ press: EventIdentity, _ at: Int64, _ host: SimulatedHost) {
    guard let run = host.run, let disarmed = run.core.engine.history.disarmed,
      let endedAt = run.core.engine.history[disarmed]?.endedAt, at < endedAt.instant - 1_000_000
    else { return }
    run.core.engine.age = PressAge(at: endedAt)
    var ignored = CoreOutput()
    run.core.engine.history.change(disarmed, &ignored) { incident in
      guard case .ended(var end) = incident.phase else { return }
      end.seenAtDisarm = [
        SeenEvent(
          device: press.deviceID.rawValue, number: .max, bootNonce: press.bootNonce,
          clock: press.clock &+ 1, receivedAt: endedAt, missedSince: endedAt)
      ]
      incident.phase = .ended(end)
    }
  }

  func decided(_ output: inout CoreOutput, on input: CoreInput, _ host: SimulatedHost) {
    accounts.decided(&output, host)
    neighbors.decided(&output, host)
    checkIns.decided(&output, host)
    messages.decided(&output, host)
    calm.decided(&output, host)
    seals.decided(output, host)
    switch mistake {
    case .ackBeforeCommit, .duplicateAckedWhilePending, .duplicateNotAcked:
      mistakeAcks(&output, on: input, host)
    case .failureAnsweredAsDurable, .answerBeforeCommit: mistakeAnswers(&output, on: input)
    case .lightBeforeCommit: lightTooEarly(&output, host)
    case .secondContactForgotten: output.deliveries.removeAll { $0.contact.place != 0 }
    case .retryGivesUp: output.deliveries.removeAll { $0.attempts > 1 }
    case .secondWayForgotten:
      for index in output.deliveries.indices { output.deliveries[index].attempts = 1 }
    case .failedWayStopsOthers: output.deliveries.removeAll(where: isOfLaterWay)
    case .endToldOnOneWay:
      output.deliveries.removeAll { $0.kind == .closing && isOfLaterWay($0) }
    case .closingForgotten: output.deliveries.removeAll { $0.kind == .closing }
    case .aliasesForgotten: output.deliveries = output.deliveries.map { withoutAliases($0, host) }
    case .messageDoubled: output.deliveries += output.deliveries.filter { $0.kind != .closing }
    case .outboxReordered: reorder(&output, host)
    case .cancelOvertakesRaise: overtake(&output)
    case .olderByNumberAlone, .olderByClockAlone: ages.decided(&output, on: input, host)
    default: break
    }
  }

  func posted(_ batch: CheckedFeed, as post: Int) { feeds.posted(batch, as: post) }
  func takes(_ batch: CheckedFeed) -> Bool { feeds.takes(batch) }
  func answered(_ post: Int, _ acks: inout [EventAck]?) { feeds.answered(post, &acks) }
  func follows(_ change: inout RemoteCoreState.Change) { feeds.follows(&change) }

  // MARK: Acks and answers

  private func mistakeAcks(
    _ output: inout CoreOutput, on input: CoreInput, _ host: SimulatedHost
  ) {
    guard case .event(let link, let record, _) = input else { return }
    let isNew = heard[host.index, default: []].insert(record.identity).inserted
    switch mistake {
    case .ackBeforeCommit:
      if isNew, output.acks.isEmpty { output.acks.append((link, EventAck(record.identity))) }
    case .duplicateAckedWhilePending:
      if !isNew, output.acks.isEmpty { output.acks.append((link, EventAck(record.identity))) }
    default: output.acks.removeAll()
    }
  }

  private func mistakeAnswers(_ output: inout CoreOutput, on input: CoreInput) {
    if mistake == .answerBeforeCommit {
      output.answers.removeAll()
      guard case .userCommand(let request, _, _) = input else { return }
      output.answers.append(
        (request, Answer(state: .emergencyEnded, refusal: nil, isDurable: true)))
    } else {
      output.answers = output.answers.map { request, answer in
        (request, Answer(state: answer.state, refusal: answer.refusal, isDurable: true))
      }
    }
  }

  private func lightTooEarly(_ output: inout CoreOutput, _ host: SimulatedHost) {
    guard host.run?.core.engine.state == .emergencySent else { return }
    for index in output.indications.indices
    where output.indications[index].indication.state == .sending {
      output.indications[index].indication.state = .accepted
    }
  }

  // MARK: Messages

  private func withoutAliases(_ closing: Notification, _ host: SimulatedHost) -> Notification {
    guard !closing.aliases.isEmpty,
      var incident = host.run?.core.engine.incident(closing.incident)
    else { return closing }
    incident.aliases = []
    return Notification(
      closing.kind, to: closing.contact, of: incident, sequence: closing.sequence,
      position: closing.position, at: closing.decidedAt)
  }

  /// A message waits for the next one to the same contact, which goes first.
  private func reorder(_ output: inout CoreOutput, _ host: SimulatedHost) {
    output.deliveries = output.deliveries.flatMap { message -> [Notification] in
      let place = host.index * 100 + message.contact.place
      if let before = heldBack.removeValue(forKey: place) { return [message, before] }
      guard message.kind == .update else { return [message] }
      heldBack[place] = message
      return []
    }
  }

  private func isOfLaterWay(_ message: Notification) -> Bool {
    message.way.map { $0 != message.contact.ways.first } ?? false
  }

  private func overtake(_ output: inout CoreOutput) {
    guard let messages = output.commit?.changes.notifications.values else { return }
    for closing in messages.sorted(by: { $0.key < $1.key })
    where closing.kind == .closing && closing.attempts == 0 { output.deliveries.append(closing) }
  }
}

extension Incident {
  /// As if what is due were counted from a day later.
  fileprivate mutating func forgetDeadlines() {
    guard case .open(let stage) = phase else { return }
    phase = .open(stage.rebased { $0 + .minutes(24 * 60) })
  }
}
