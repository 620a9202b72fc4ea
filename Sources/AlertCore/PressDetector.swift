import FobBase
import WireProtocol

/// Turns edges into meaning. The device reports facts; the policy is here (PROTOCOL.md, Presses).
///
/// Profile `literal` knows at once what an event means. Profile `guarded` reads clicks and holds,
/// so a meaning may become known later, by a further edge or by time: call `due` at `nextWake`. In
/// doubt it says alarm, and it never takes an alarm back.
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
  /// The account's complete slots, which clicks of its keychains ask for.
  var ownSlots = PanicSlots.none
  /// The keychains of the account; nil: every one.
  var owned: Set<DeviceID>?
  var histories: [Boot: PressHistory] = [:]
  /// Verdicts on events that an earlier run left, for the first wake.
  var recovered: [Verdict] = []
  var recoveredAt: Timestamp?

  init(_ profile: PressProfile) { self.profile = profile }

  /// Takes in a new event, and appends the verdicts that it settles.
  /// - Returns: the event's own meaning, as far as it is known.
  mutating func hear(_ event: HeardEvent, _ verdicts: inout [Verdict]) -> Meaning {
    guard case .guarded = profile else {
      guard event.isPress else { return .noted }
      verdicts.append(Verdict(meaning: .alarm, events: [event]))
      return .alarm
    }
    guard event.isUnproved else { return hearGuarded(event, &verdicts) }
    // One that anybody may have made up has no place among the keychain's own.
    verdicts.append(
      Verdict(
        meaning: .alarm, cause: .other(.unreadable), events: [event], isAgeUnknown: true))
    return .alarm
  }
}
