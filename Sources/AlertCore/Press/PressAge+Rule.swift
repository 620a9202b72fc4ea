import FobBase
import WireProtocol

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
        clock: reference.clock, receivedAt: reference.receivedAt, missedSince: outage.since,
        emptyAt: evidence.emptyAt)
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
      evidence?.isDoubted != true, BootEvidence.mayHaveKept(identity, evidence?.emptyAt)
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
  /// the keychain was out of reach, later than it last kept nothing.
  fileprivate func covers(_ press: EventIdentity) -> Bool {
    guard let clock, let receivedAt, let missedSince else { return false }
    guard device == press.deviceID.rawValue, bootNonce == press.bootNonce,
      press.number.rawValue < number, press.clock < clock,
      clock - press.clock > PressTimes.exact.unsigned,
      BootEvidence.mayHaveKept(press, emptyAt)
    else { return false }
    let before = Int64(clamping: clock - press.clock)
    let out = receivedAt.since(missedSince).microseconds
    return before - PressTimes.unnoticed(over: before) <= out
  }
}
