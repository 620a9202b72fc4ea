import FobBase
import WireProtocol

/// What follows from what presses mean.
extension AlertCore {
  /// One gesture raises once: its first press opens the incident or is told, the others are entries
  /// beside it.
  mutating func act(on verdict: PressDetector.Verdict, at now: Moment, _ turn: inout Turn) {
    let presses = verdict.presses
    if policy.profile != .literal, let first = presses.first {
      turn.note(Happening(.pressDecoded, at: now, of: first.identity, detail: verdict.summary))
    }
    for event in verdict.events where event.isRelease {
      turn.changes.settle(event.identity, .noted, nil)
    }
    for (index, press) in presses.enumerated() {
      var incident: IncidentID?
      if verdict.meaning == .alarm {
        incident = engine.press(
          press, isAgeUnknown: verdict.isAgeUnknown, isFurther: index > 0, at: now, &turn)
      } else {
        incident = engine.enter(
          press, isAgeUnknown: verdict.isAgeUnknown, silences: verdict.meaning == .acknowledge,
          at: now, &turn)
      }
      turn.changes.settle(press.identity, verdict.meaning, incident)
    }
    if case .slot(let slot) = verdict.meaning, let first = presses.first {
      turn.note(
        Happening(
          .slotRequested, at: now, of: first.identity,
          detail: "slot \(slot): NOT sent, this version sends no panic slots"))
    }
  }

  // MARK: What a keychain says of its clock and numbers

  mutating func heard(
    _ beat: Heartbeat, from link: LinkID, at now: Moment, _ turn: inout Turn
  ) {
    book.heard(beat, from: link, at: now, &turn)
    guard let device = book.device(on: link), book.isLinked(device, by: link) else { return }
    if let doubt = engine.age.heard(beat, of: device, at: now) {
      tell(doubt, at: now, &turn)
    } else if !engine.age.isMissing(device, at: now) {
      engine.forgetEvidence(of: device, &turn)
    }
  }

  /// Said once: it is kept for as long as that boot lasts.
  mutating func tell(_ doubt: PressAge.Doubt, at now: Moment, _ turn: inout Turn) {
    book.doubt(doubt.device, boot: doubt.bootNonce, &turn)
    engine.forgetEvidence(of: doubt.device, &turn)
    turn.note(
      Happening(
        .bootDoubted, at: now, device: doubt.device,
        detail: "\(doubt.reason): until its next start no press of it is taken for an older one"))
  }
}
