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

  /// Learns from a new event, and marks whether it was made out of reach.
  /// - Parameter isNumberReused: another event of the keychain had its number.
  /// - Returns: a doubt about its boot, once.
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

  /// True for an event of an earlier boot, by all that the keychain says, while the link has only
  /// just come up.
  private func isReplay(_ event: HeardEvent, on line: Reachability) -> Bool {
    guard let linked = line.bootNonce, linked != event.identity.bootNonce else { return false }
    return event.record.flags.contains(.replayed) && line.outage.isHeardAgain(at: event.receivedAt)
  }
}

/// The rule that `PressAge` describes.
extension PressAge {
  // MARK: The rule

  /// Events that may prove later presses older than the disarm of this moment.
  func evidence(at now: Timestamp) -> [SeenEvent] {
    let found = boots.compactMap { boot, evidence -> SeenEvent? in
      guard let outage = reachability[boot.device]?.outage, outage.isCurrent(at: now),
        let reference = evidence.reliableReference
      else { return nil }
      return SeenEvent(
        device: boot.device.rawValue, number: reference.number.rawValue, bootNonce: boot.nonce,
        clock: reference.clock, receivedAt: reference.receivedAt, missedSince: outage.since)
    }
    return Array(
      found.sorted { ($0.device, $0.number) < ($1.device, $1.number) }
        .prefix(Limits.accountDevices))
  }

  /// Whether the rule proves that a press was made before a disarm.
  func isOlder(_ press: HeardEvent, than disarmed: End) -> Bool {
    let identity = press.identity
    let evidence = boots[Boot(device: identity.deviceID, nonce: identity.bootNonce)]
    guard disarmed.seenAtDisarm.contains(where: { $0.covers(identity) }),
      reachability[identity.deviceID, default: unheard].outage.isCurrent(at: press.receivedAt),
      evidence?.isDoubted != true, evidence?.mayHaveKept(press) != false
    else { return false }
    guard let happenedAt = press.happenedAt, let endedAt = disarmed.at,
      endedAt.boot == press.receivedAt.boot
    else { return true }
    return happenedAt.upperBound < endedAt.instant
  }

  /// Whether a press that was missed may still come.
  func isMissing(_ device: DeviceID, at now: Timestamp) -> Bool {
    reachability[device, default: unheard].outage.isCurrent(at: now)
  }
}

extension SeenEvent {
  /// The press is of the same boot, was numbered and stamped before this event, and was made while
  /// the keychain was out of reach.
  fileprivate func covers(_ press: EventIdentity) -> Bool {
    guard let clock, let receivedAt, let missedSince else { return false }
    guard device == press.deviceID.rawValue, bootNonce == press.bootNonce,
      press.number.rawValue < number, press.clock < clock,
      clock - press.clock > PressTimes.exact.unsigned
    else { return false }
    let before = Int64(clamping: clock - press.clock)
    let out = receivedAt.since(missedSince).microseconds
    return before - PressTimes.unnoticed(over: before) <= out
  }
}

/// The state of each keychain's line, and what people were told of it.
extension PressAge {
  /// Takes the doubts that an earlier run has found.
  mutating func recover(_ records: [DeviceID: DeviceRecord]) {
    for (device, record) in records {
      guard let nonce = record.doubtedBoot else { continue }
      var evidence = BootEvidence(at: unheard.outage.since)
      evidence.doubt()
      put(evidence, Boot(device: device, nonce: nonce))
    }
  }

  // MARK: The line

  mutating func linkUp(_ device: DeviceID, _ hello: Hello, at now: Timestamp) {
    var line = reachability[device, default: unheard]
    line.outage.heardAgain(at: now)
    line.bootNonce = hello.bootNonce
    line.keepsEvents = hello.oldestUnacked != .none
    line.toldIn = nil
    put(line, device)
    let boot = Boot(device: device, nonce: hello.bootNonce)
    if boots[boot] == nil { put(BootEvidence(at: now), boot) }
  }

  mutating func linkDown(_ device: DeviceID, at now: Timestamp) {
    reachability[device]?.outage.lost(at: now)
  }

  /// Frames of the keychain were missed, though its line is up.
  mutating func missed(_ device: DeviceID, at now: Timestamp) {
    reachability[device]?.outage.missed(at: now)
  }

  /// The host's clock was moved: no earlier stamp can be compared any more.
  mutating func clockMoved() {
    for boot in boots.keys { boots[boot]?.forgetClock() }
  }

  mutating func heard(_ beat: Heartbeat, of device: DeviceID, at now: Timestamp) -> Doubt? {
    if beat.unacked == 0 { reachability[device]?.keepsEvents = false }
    guard let nonce = reachability[device]?.bootNonce,
      let place = boots.index(forKey: Boot(device: device, nonce: nonce)),
      let reason = boots.values[place].hear(beat, at: now)
    else { return nil }
    return Doubt(device: device, bootNonce: nonce, reason: reason)
  }

  // MARK: Telling

  /// Whether people were told of this reconnect in that incident.
  func isTold(_ device: DeviceID, in incident: IncidentID) -> Bool {
    reachability[device]?.toldIn == incident
  }

  mutating func told(_ device: DeviceID, in incident: IncidentID) {
    reachability[device]?.toldIn = incident
  }

  // MARK: Room

  /// Without room the keychain is not followed, and so nothing about it can be proved.
  private mutating func put(_ line: Reachability, _ device: DeviceID) {
    guard reachability[device] != nil || reachability.count < Limits.devices else { return }
    reachability[device] = line
  }

  private mutating func put(_ evidence: BootEvidence, _ boot: Boot) {
    if boots.count >= Limits.followedBoots {
      let oldest = boots.min { $0.value.heardAt.instant < $1.value.heardAt.instant }
      if let oldest { boots[oldest.key] = nil }
    }
    boots[boot] = evidence
  }
}
