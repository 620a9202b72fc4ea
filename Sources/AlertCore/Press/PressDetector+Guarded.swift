import FobBase
import WireProtocol

/// Profile `guarded`, where a meaning may become known later; and recovery in both profiles.
extension PressDetector {
  mutating func hearGuarded(_ event: HeardEvent, _ verdicts: inout [Verdict]) -> Meaning {
    let boot = Boot(event.identity)
    verdicts += makeRoom(for: boot)
    var history = histories.removeValue(forKey: boot) ?? PressHistory(at: event.receivedAt)
    if let verdict = history.add(event) { verdicts.append(verdict) }
    verdicts += history.judge(slots(of: boot), at: event.receivedAt)
    histories[boot] = history
    guard event.isEdge else { return .noted }
    let own = verdicts.first { $0.events.contains { $0.identity == event.identity } }
    return own.map { event.isPress ? $0.meaning : .noted } ?? .open
  }

  /// The slots that clicks of a keychain ask for: the policy's, and the account's where it is its.
  private func slots(of boot: Boot) -> PanicSlots {
    guard case .guarded(let slots) = profile else { return .none }
    guard owned?.contains(boot.device) ?? true else { return slots }
    return PanicSlots(rawValue: slots.rawValue | ownSlots.rawValue)
  }

  /// The line went down, so the end of an open gesture may go unheard. A link that is up again
  /// proves nothing; the next event does.
  mutating func lineLost(_ device: DeviceID) {
    for boot in histories.keys where boot.device == device { histories[boot]?.loseReachability() }
  }

  // MARK: Time

  /// Verdicts that time alone has settled.
  mutating func due(at now: Timestamp) -> [Verdict] {
    var verdicts = recovered
    recovered = []
    guard case .guarded = profile else { return verdicts }
    let due = histories.indices.filter { histories.values[$0].due.map { $0.at <= now.at } ?? false }
    for boot in due.map({ histories.keys[$0] }).sorted() {
      let slots = slots(of: boot)
      verdicts += histories[boot]?.judge(slots, at: now) ?? []
    }
    return verdicts
  }

  var nextWake: Timestamp? {
    mutating get {
      if !recovered.isEmpty { return recoveredAt }
      return histories.values.reduce(nil) { Timestamp.earlier($0, $1.due) }
    }
  }

  /// Some press is not understood yet: it may mean alarm.
  /// - Parameter device: nil: any keychain's.
  func isReading(of device: DeviceID?) -> Bool {
    !recovered.isEmpty
      || histories.contains { $1.hasOpen && (device == nil || $0.device == device) }
  }

  // MARK: Restart

  /// Takes in the events that an earlier run left. Open ones are judged again at the first wake;
  /// the others are the context for what comes.
  mutating func recover(_ events: [StoredEvent], at now: Timestamp) {
    recoveredAt = now
    for stored in events {
      let event = HeardEvent(
        stored.record, at: stored.receivedAt(by: now), happenedAt: nil, meaning: stored.meaning)
      guard case .guarded = profile else {
        guard event.meaning == .open else { continue }
        recovered.append(Verdict(meaning: event.isPress ? .alarm : .noted, events: [event]))
        continue
      }
      let boot = Boot(event.identity)
      recovered += makeRoom(for: boot)
      var history = histories.removeValue(forKey: boot) ?? PressHistory(at: now)
      if let verdict = history.restore(event) { recovered.append(verdict) }
      histories[boot] = history
    }
    guard case .guarded = profile else { return }
    for boot in histories.keys.sorted() {
      let slots = slots(of: boot)
      recovered += histories[boot]?.judge(slots, at: now) ?? []
    }
  }

  // MARK: Room

  /// Forgets the boot that was silent longest; boots with an open meaning go last.
  private mutating func makeRoom(for boot: Boot) -> [Verdict] {
    guard histories.count >= Limits.pressHistories, histories[boot] == nil else { return [] }
    let closed = histories.filter { !$1.hasOpen }
    let oldest = (closed.isEmpty ? histories : closed).min {
      ($0.value.heardAt.instant, $0.key) < ($1.value.heardAt.instant, $1.key)
    }
    return oldest.flatMap { histories.removeValue(forKey: $0.key)?.giveUp() } ?? []
  }
}
