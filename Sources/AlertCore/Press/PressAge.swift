import FobBase
import WireProtocol

/// Tells a press that was made before a disarm, and came after it, from a new cry for help.
///
/// A press is older than a disarm only if all of this agrees; what cannot be proved is an alarm:
///
/// 1. A **reference**: an event of the same boot came before the disarm, with a higher number and a
///    later clock than the press.
/// 2. The reference can be **relied on**: it was not the first event of its boot, it came when its
///    clock says that it was made, and not before, and nothing in that boot contradicts
///    (`BootEvidence`).
/// 3. The **absence** of the press is explained: it was made while the keychain was out of reach,
///    the disarm fell into the same time, and so does the coming of the press (`Outage`); and the
///    keychain did not say since that it keeps nothing.
/// 4. The **fit**, where one is proven, does not say that it was made after the disarm.
///
/// 1 to 3 are settled at the disarm and stored with it (`SeenEvent`): a start that finds nothing of
/// it has no proof.
struct PressAge: Sendable {
  /// What is not to be relied on any more, and why.
  struct Doubt: Equatable, Sendable {
    let device: DeviceID
    let bootNonce: UInt32
    let reason: Reason.Contradiction
  }

  struct Boot: Hashable {
    let device: DeviceID
    let nonce: UInt32
  }

  /// How a keychain is heard.
  struct Reachability: Sendable {
    var outage: Outage
    /// Of the boot that the last HELLO named; nil: there was none in this run.
    var bootNonce: UInt32?
    /// By the last HELLO and the heartbeats since, events wait to be sent again.
    var keepsEvents = false
    /// The incident in which a press of this reconnect was told.
    var toldIn: IncidentID?
  }

  var reachability: [DeviceID: Reachability] = [:]
  var boots: [Boot: BootEvidence] = [:]
  /// A keychain that was not linked in this run was out of reach in all of it.
  let unheard: Reachability

  init(at now: Timestamp) { unheard = Reachability(outage: Outage(since: now)) }

  // MARK: What it says

  /// Learns from an event that is new, and says of it whether it was made out of reach.
  /// - Parameter isNumberReused: another event of the keychain had its number.
  mutating func heard(_ event: inout HeardEvent, isNumberReused: Bool) -> Doubt? {
    let identity = event.identity
    let device = identity.deviceID
    let line = reachability[device, default: unheard]
    let boot = Boot(device: device, nonce: identity.bootNonce)
    let place = boots.index(forKey: boot)
    let reason = place.flatMap {
      boots.values[$0].hear(event, isNumberReused: isNumberReused, line.outage)
    }
    event.isClockDoubted = place.map { boots.values[$0].isDoubted } ?? false
    event.isOutOfReach =
      line.keepsEvents
      && (isReplay(event, on: line)
        || place.map { boots.values[$0].isFrom(line.outage, event) } ?? false)
    return reason.map { Doubt(device: device, bootNonce: identity.bootNonce, reason: $0) }
  }

  /// Of an earlier boot, by all that the keychain says, and it has only just been linked.
  private func isReplay(_ event: HeardEvent, on line: Reachability) -> Bool {
    guard let linked = line.bootNonce, linked != event.identity.bootNonce else { return false }
    return event.record.flags.contains(.replayed) && line.outage.isHeardAgain(at: event.receivedAt)
  }
}
