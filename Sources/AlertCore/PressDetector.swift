import FobBase
import WireProtocol

/// Turns edges into meaning: the device reports facts, policy stands here (protocol, Presses).
///
/// Profile `literal` knows what an event means when it comes. Profile `guarded` reads clicks and
/// holds, so a meaning may become known later, by a further edge or by time alone: at `nextWake`
/// ask `due`. Where it is in doubt it says alarm, and an alarm it never takes back.
public struct PressDetector: Sendable {
  struct Boot: Hashable, Comparable {
    let device: DeviceID
    let counter: UInt32
    let nonce: UInt32

    init(_ identity: EventIdentity) {
      device = identity.deviceID
      counter = identity.number.boot
      nonce = identity.bootNonce
    }

    static func < (a: Boot, b: Boot) -> Bool {
      (a.device.rawValue, a.counter, a.nonce) < (b.device.rawValue, b.counter, b.nonce)
    }
  }

  let profile: PressProfile
  var histories: [Boot: PressHistory] = [:]
  /// Of what an earlier run left, for the first wake.
  var recovered: [Verdict] = []
  var recoveredAt: Timestamp?

  init(_ profile: PressProfile) { self.profile = profile }

  /// Takes in an event that is new.
  /// - Returns: what it means itself, as far as that is known.
  mutating func hear(_ event: HeardEvent, _ verdicts: inout [Verdict]) -> Meaning {
    if case .guarded(let slots) = profile { return hear(event, slots, &verdicts) }
    guard event.isPress else { return .noted }
    verdicts.append(Verdict(meaning: .alarm, events: [event]))
    return .alarm
  }
}

/// Profile `guarded`, where a meaning may become known later, by time too; and, in both profiles,
/// what an earlier run left.
extension PressDetector {
  mutating func hear(
    _ event: HeardEvent, _ slots: PanicSlots, _ verdicts: inout [Verdict]
  ) -> Meaning {
    let boot = Boot(event.identity)
    verdicts += makeRoom(for: boot)
    var history = histories.removeValue(forKey: boot) ?? PressHistory(at: event.receivedAt)
    if let verdict = history.add(event) { verdicts.append(verdict) }
    verdicts += history.judge(slots, at: event.receivedAt)
    histories[boot] = history
    guard event.isEdge else { return .noted }
    let own = verdicts.first { $0.events.contains { $0.identity == event.identity } }
    return own.map { event.isPress ? $0.meaning : .noted } ?? .open
  }

  /// A line went down: the end of what is open on it may go unheard. That a line is up again proves
  /// nothing; the next event does.
  mutating func lineLost(_ device: DeviceID) {
    for boot in histories.keys where boot.device == device { histories[boot]?.loseReachability() }
  }

  // MARK: Time

  /// What time alone has made known.
  mutating func due(at now: Timestamp) -> [Verdict] {
    var verdicts = recovered
    recovered = []
    guard case .guarded(let slots) = profile else { return verdicts }
    for boot in histories.filter({ $1.due.map { $0.at <= now.at } ?? false }).keys.sorted() {
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

  // MARK: Restart

  /// Takes in what an earlier run left: what is open in it is judged anew, at the first wake; what
  /// is not says how it goes on.
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
    guard case .guarded(let slots) = profile else { return }
    for boot in histories.keys.sorted() {
      recovered += histories[boot]?.judge(slots, at: now) ?? []
    }
  }

  // MARK: Room

  /// Forgets the boot that was silent longest, one with nothing open if there is any.
  private mutating func makeRoom(for boot: Boot) -> [Verdict] {
    guard histories.count >= Limits.pressHistories, histories[boot] == nil else { return [] }
    let closed = histories.filter { !$1.hasOpen }
    let oldest = (closed.isEmpty ? histories : closed).min {
      ($0.value.heardAt.instant, $0.key) < ($1.value.heardAt.instant, $1.key)
    }
    return oldest.flatMap { histories.removeValue(forKey: $0.key)?.giveUp() } ?? []
  }
}
