import FobBase
import WireProtocol

/// The user commands.
extension AlertEngine {
  mutating func perform(
    _ userCommand: UserCommand, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    switch userCommand {
    case .disarm, .cancel, .endUnowned: return close(by: userCommand, who, at: now, &output)
    case .acknowledge(let contact): return acknowledge(contact, by: who, at: now, &output)
    case .silence, .quit:
      return silence(opensSurvey: userCommand == .quit, by: who, at: now, &output)
    case .survey(let survey):
      guard let id = open?.id ?? history.ended else { return .nothingOpen }
      take(survey, of: id, by: who, at: now, &output)
    case .surveyOfPast(let incident, let survey):
      if self.incident(incident.id) == nil {
        guard !incident.state.isOpen else { return .nothingEnded }
        history.look(at: incident)
      }
      take(survey, of: incident.id, by: who, at: now, &output)
    case .resume:
      guard state == .emergencyEnded else { return .nothingEnded }
      leave(by: who, at: now, &output)
    case .trigger(let trigger): return take(trigger, by: who, at: now, &output)
    case .change(let change, let isProven):
      return perform(change, isProven: isProven, by: who, at: now, &output)
    case .checkIn, .message, .review, .exercise, .affirmation, .remind:
      return nil  // The core's own parts.
    }
    return nil
  }

  /// Labels an incident that is over (R61); one that memory has not is as the store has it.
  mutating func label(
    _ past: Incident, _ survey: Survey, by who: String, at now: Timestamp,
    _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    if incident(past.id) == nil { history.look(at: past) }
    guard incident(past.id)?.state.isOpen == false else { return .nothingEnded }
    take(survey, of: past.id, as: .outcomeChanged, by: who, at: now, &output)
    return nil
  }

  /// Whoever asks again hears that it is so: what changes nothing is no entry, here and below.
  private mutating func silence(
    opensSurvey: Bool, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    guard let incident = open else { return .nothingOpen }
    guard incident.sounder || opensSurvey && !incident.surveyOpened else { return nil }
    open?.sounder = false
    if opensSurvey { open?.surveyOpened = true }
    output.note(AuditEvent(opensSurvey ? .surveyOpened : .silenced, at: now, by: who), incident.id)
    output.changed(incident.id)
    return nil
  }

  private mutating func take(
    _ survey: Survey, of id: IncidentID, as name: AuditEvent.Name = .surveyAnswered,
    by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) {
    let before = incident(id)?.survey
    var answered = before
    answered.update(by: survey)
    guard answered != before else { return }
    if open?.id == id { open?.survey = answered }
    history.change(id, &output) { $0.survey = answered }
    output.note(AuditEvent(name, at: now, by: who, .survey(survey)), id)
    output.changed(id)
  }

  private mutating func close(
    by userCommand: UserCommand, _ who: String, at now: Timestamp, _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    guard let open else { return .nothingOpen }
    if userCommand == .endUnowned {
      guard open.isUnclaimed else { return .notUnowned }
    } else {
      guard !open.isUnclaimed else { return .unowned }
      guard userCommand == .disarm || account.pinHash == nil else { return .pinNeeded }
    }
    end(userCommand == .disarm ? .disarmed : .cancelled, by: who, at: now, &output)
    return nil
  }

  private mutating func acknowledge(
    _ contact: ContactID, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    guard var incident = open.take() else { return .nothingOpen }
    defer { open = incident }
    guard incident.phase.stage?.sending != nil else { return .nobodyTold }
    guard recipients(of: incident).contains(where: { $0.id == contact }) else {
      return .unknownContact
    }
    guard !incident.acknowledgedBy.contains(contact) else { return nil }
    incident.acknowledgedBy.append(contact)
    output.note(AuditEvent(.acknowledged, at: now, by: who), incident.id, contact: contact)
    output.changed(incident.id)
    return nil
  }

  /// A trigger opens an incident with a countdown. While one is open it only adds a log entry (G18,
  /// G20).
  private mutating func take(
    _ trigger: Trigger, by who: String, at now: Timestamp, _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    let id = IncidentID(trigger)
    guard !seenTriggers.contains(id), incident(id) == nil else { return nil }
    guard trigger.question != nil || owns(trigger.device) else { return .unownedDevice }
    guard account.isProtecting else { return .notProtecting }
    if seenTriggers.count == Limits.seenTriggers { seenTriggers.removeFirst() }
    seenTriggers.append(id)
    giveWay(to: trigger.device, isOwners: true, at: now, &output)
    if let open = open?.id {
      let added = AuditEvent(
        .triggerAdded, at: now, device: trigger.device, .trigger(trigger.source))
      output.note(added, open)
      return nil
    }
    leave(by: nil, at: now, &output)
    var incident = Incident(
      id, of: trigger.device, .open(.sending(Stage.Sending(since: now))),
      trigger: trigger.source, at: now)
    incident.question = trigger.question
    incident.lastPosition = positions[trigger.device]
    output.note(
      AuditEvent(.incidentOpened, at: now, by: who, .trigger(trigger.source)), incident.id)
    begin(incident, after: policy.triggerCountdown, at: now, &output)
    return nil
  }

  /// Opens the incident of an unanswered check-in.
  /// - Returns: the incident; nil: its trigger was taken before.
  mutating func raise(
    _ trigger: Trigger, at now: Timestamp, _ output: inout CoreOutput
  ) -> IncidentID? {
    let refusal = take(trigger, by: "core", at: now, &output)
    return refusal == nil && open?.id == IncidentID(trigger) ? open?.id : nil
  }

  private mutating func perform(
    _ change: AccountChange, isProven: Bool, by who: String, at now: Timestamp,
    _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    // A new PIN may be mailed even now, and adopted: its first use may be to switch this alarm off.
    if isLocked, !change.isOfMailedPIN, !isRepeated(change) { return .locked }
    var account = account
    if let refusal = account.apply(change, isProven: isProven, policy) { return refusal }
    set(account)
    output.changes.account = account
    output.note(AuditEvent(.accountChanged, at: now, by: who, .account(change.summary)))
    return nil
  }
}

extension AlertEngine {
  /// Who claims once more, since no answer came, hears that nothing has changed.
  private func isRepeated(_ change: AccountChange) -> Bool {
    guard case .claim(let device, _, _, _) = change else { return false }
    return owned?.contains(device) ?? false
  }
}

extension AccountChange {
  fileprivate var isOfMailedPIN: Bool {
    switch self {
    case .offerPIN, .adoptPIN: true
    default: false
    }
  }
}

extension Survey? {
  fileprivate mutating func update(by later: Survey) {
    self = Survey(fell: later.fell ?? self?.fell, outcome: later.outcome ?? self?.outcome)
  }
}
