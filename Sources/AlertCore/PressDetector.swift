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
