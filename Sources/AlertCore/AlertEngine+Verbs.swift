import FobBase
import WireProtocol

/// What people and programs ask for.
extension AlertEngine {
  mutating func perform(
    _ verb: Verb, by who: String, at now: Moment, _ turn: inout Turn
  ) -> Verb.Refusal? {
    switch verb {
    case .disarm, .cancel, .endUnowned: return close(by: verb, who, at: now, &turn)
    case .acknowledge(let contact):
      return acknowledge(contact, by: who, at: now, &turn)
    case .silence, .quit:
      guard state.isOpen else { return .nothingOpen }
      incident!.sounder = false
      if verb == .quit { incident!.surveyOpened = true }
      let name = verb == .quit ? Happening.Name.surveyOpened : .silenced
      turn.note(Happening(name, at: now, by: who), incident!.id)
    case .survey(let survey):
      guard incident != nil else { return .nothingOpen }
      incident!.survey = incident!.survey?.updated(by: survey) ?? survey
      // Else a press that joins what was disarmed would bring back the one without.
      if lastDisarmed?.id == incident!.id { lastDisarmed!.survey = incident!.survey }
      turn.note(Happening(.surveyAnswered, at: now, by: who, detail: survey.words), incident!.id)
    case .resume:
      guard state == .emergencyEnded else { return .nothingEnded }
      leave(by: who, at: now, &turn)
      return nil
    case .trigger(let trigger): return take(trigger, by: who, at: now, &turn)
    case .change(let change, let isProven):
      return perform(change, isProven: isProven, by: who, at: now, &turn)
    case .wrongPIN:
      turn.note(Happening(.wrongPIN, at: now, by: who), incident?.id)
      return .wrongPIN
    case .pinBlocked:
      turn.note(Happening(.pinBlocked, at: now, by: who), incident?.id)
      return .pinBlocked
    }
    isChanged = true
    return nil
  }

  private mutating func close(
    by verb: Verb, _ who: String, at now: Moment, _ turn: inout Turn
  ) -> Verb.Refusal? {
    guard state.isOpen else { return .nothingOpen }
    if verb == .endUnowned {
      guard incident!.belongsToNobody else { return .notUnowned }
    } else {
      guard !incident!.belongsToNobody else { return .unowned }
      guard verb == .disarm || account.pinHash == nil else { return .pinNeeded }
    }
    end(verb == .disarm ? .disarmed : .cancelled, by: who, at: now, &turn)
    isChanged = true
    return nil
  }

  private mutating func acknowledge(
    _ contact: ContactID, by who: String, at now: Moment, _ turn: inout Turn
  ) -> Verb.Refusal? {
    guard state.isOpen else { return .nothingOpen }
    guard state != .alertCountdown else { return .nobodyTold }
    guard recipients.contains(where: { $0.id == contact }) else { return .unknownContact }
    if !incident!.acknowledgedBy.contains(contact) { incident!.acknowledgedBy.append(contact) }
    turn.note(Happening(.acknowledged, at: now, by: who), incident!.id, contact: contact)
    isChanged = true
    return nil
  }

  /// A trigger opens an incident with its countdown; while one is open it begins none (G18, G20).
  private mutating func take(
    _ trigger: Trigger, by who: String, at now: Moment, _ turn: inout Turn
  ) -> Verb.Refusal? {
    let id = IncidentID(trigger)
    guard !seenTriggers.contains(id), incident?.id != id, lastDisarmed?.id != id else { return nil }
    guard owns(trigger.device) else { return .unownedDevice }
    guard account.isProtecting else { return .notProtecting }
    if seenTriggers.count == Limits.seenTriggers { seenTriggers.removeFirst() }
    seenTriggers.append(id)
    if state.isOpen, givesWay(to: trigger.device) { end(.gaveWay, at: now, &turn) }
    guard !state.isOpen else {
      let happening = Happening(
        .triggerAdded, at: now, device: trigger.device, detail: trigger.source.rawValue)
      turn.note(happening, incident!.id)
      return nil
    }
    if state == .emergencyEnded { leave(by: nil, at: now, &turn) }
    incident = Incident(trigger, at: now)
    incident!.lastPosition = positions[trigger.device]
    incident!.countdownEnds = now + policy.triggerCountdown
    turn.note(
      Happening(.incidentOpened, at: now, by: who, detail: trigger.source.rawValue), incident!.id)
    if policy.triggerCountdown > .zero {
      become(.alertCountdown, at: now, &turn)
    } else {
      beginSending(at: now, &turn)
    }
    return nil
  }

  private mutating func perform(
    _ change: AccountChange, isProven: Bool, by who: String, at now: Moment, _ turn: inout Turn
  ) -> Verb.Refusal? {
    // The mailed PIN may be first used to switch an alarm off.
    if isLocked, change != .adoptPIN { return .locked }
    var account = account
    if let refusal = account.apply(change, isProven: isProven, policy) { return refusal }
    set(account)
    turn.changes.account = account
    turn.note(Happening(.accountChanged, at: now, by: who, detail: change.name))
    return nil
  }
}

extension Survey {
  fileprivate func updated(by later: Survey) -> Survey {
    Survey(fell: later.fell ?? fell, outcome: later.outcome ?? outcome)
  }

  /// For the log.
  fileprivate var words: String {
    let fell = fell.map { $0 ? "I fell" : "I didn't fall" }
    return [fell, outcome.map { "outcome \($0.rawValue)" }].compactMap(\.self)
      .joined(separator: ", ")
  }
}
