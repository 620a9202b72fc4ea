import FobBase

/// All transitions between the phases.
extension Incident {
  /// The countdown is over, or somebody pressed again: people are told from now on.
  mutating func beginSending(at now: Timestamp) -> Transition? {
    guard case .open(.countdown(let ends)) = phase else { return nil }
    return enter(.open(.sending(Stage.Sending(countdownEnds: ends, since: now))))
  }

  mutating func fail() -> Transition? {
    guard case .open(.sending(let sending)) = phase else { return nil }
    return enter(.open(.failed(sending)))
  }

  mutating func accept(at now: Timestamp) -> Transition? {
    switch phase {
    case .open(.sending(let sending)), .open(.failed(let sending)):
      enter(.open(.sent(sending, at: now)))
    case .open(.countdown), .open(.sent), .ended: nil
    }
  }

  /// - Parameter seen: at a disarm by PIN, see `End`.
  mutating func end(
    _ reason: EndReason, seen: [SeenEvent] = [], at now: Timestamp
  ) -> Transition? {
    guard case .open(var stage) = phase else { return nil }
    if case .failed(let sending) = stage { stage = .sending(sending) }
    sounder = false
    return enter(.ended(End(stage: stage, reason: reason, at: now, seenAtDisarm: seen)))
  }

  /// A person resumes, or a new press opens the next incident.
  mutating func leave() -> Transition? {
    guard case .ended(var end) = phase, !end.isLeft else { return nil }
    end.isLeft = true
    return enter(.ended(end))
  }

  private mutating func enter(_ next: Phase) -> Transition {
    let from = phase.state
    phase = next
    return Transition(from: from, to: next.state)
  }
}
