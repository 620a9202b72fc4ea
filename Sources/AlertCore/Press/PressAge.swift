import FobBase
import WireProtocol

/// Tells an old press, made before a disarm and received after it, from a new cry for help.
///
/// A press is older than a disarm only if all four points agree. Without proof it is an alarm.
///
/// 1. A **reference**: an event of the same boot came before the disarm, with a higher number and a
///    later clock than the press.
/// 2. The reference is **reliable**: it was not the first event of its boot, it came at the time at
///    which its clock says it was made, and nothing in that boot contradicts it (`BootEvidence`).
/// 3. The **absence** of the press is explained: it was made while the keychain was out of reach,
///    and the disarm and the arrival of the press fall into the same outage (`Outage`). The
///    keychain has not said since that it keeps nothing.
/// 4. The **fit**, where one is proven, does not say that the press was made after the disarm.
///
/// Points 1 to 3 are settled at the disarm and stored with it (`SeenEvent`): a start that finds
/// none of it has no proof.
struct PressAge: Sendable {
  /// A boot whose clock and numbers prove nothing from now on, and why.
  struct Doubt: Equatable, Sendable {
    let device: DeviceID
    let bootNonce: UInt32
    let reason: Reason.Contradiction
  }

  struct Boot: Hashable {
    let device: DeviceID
    let nonce: UInt32
  }

  /// How well a keychain is heard.
  struct Reachability: Sendable {
    var outage: Outage
    /// The boot that the last HELLO named; nil: there was none in this run.
    var bootNonce: UInt32?
    /// Events wait on the keychain to be sent again, by its last HELLO and the heartbeats since.
    var keepsEvents = false
    /// The incident in which a press of this reconnect was told.
    var toldIn: IncidentID?
  }

  var reachability: [DeviceID: Reachability] = [:]
  var boots: [Boot: BootEvidence] = [:]
  /// For a keychain that was not linked in this run: out of reach since its start.
  let unheard: Reachability

  init(at now: Timestamp) { unheard = Reachability(outage: Outage(since: now)) }

  // MARK: What it says

  /// Learns from a new event, and marks whether it was made out of reach. Never hand it one that
  /// anybody may have made up.
  /// - Parameter isNumberReused: another event had its number. Of a keychain that has proved the
  ///   event, and so has its memory, that one was another's.
  /// - Returns: a doubt about its boot, once.
  mutating func heard(_ event: inout HeardEvent, isNumberReused: Bool) -> Doubt? {
    let identity = event.identity
    let device = identity.deviceID
    let line = reachability[device, default: unheard]
    let boot = Boot(device: device, nonce: identity.bootNonce)
    let place = boots.index(forKey: boot)
    let reason = place.flatMap {
      boots.values[$0].hear(
        event, isNumberReused: isNumberReused && event.isProved != true, line.outage)
    }
    event.isClockDoubted = place.map { boots.values[$0].isDoubted } ?? false
    event.isOutOfReach =
      line.keepsEvents
      && (isReplay(event, on: line)
        || place.map { boots.values[$0].isFrom(line.outage, event) } ?? false)
    return reason.map { Doubt(device: device, bootNonce: identity.bootNonce, reason: $0) }
  }

  /// True for an event of an earlier boot, by all that the keychain says, while the link has only
  /// just come up.
  private func isReplay(_ event: HeardEvent, on line: Reachability) -> Bool {
    guard let linked = line.bootNonce, linked != event.identity.bootNonce else { return false }
    return event.record.flags.contains(.replayed) && line.outage.isHeardAgain(at: event.receivedAt)
  }
}
