import FobBase
import WireProtocol

/// The five messages beside the alarm.
extension HostWitness {
  mutating func messageHandedOut(
    _ message: Message, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    let press = names[message.incident]
    messages.handedOut(message, isKnown: press != nil, run: run, at: now, &violationLog)
    if let press, !messages.hasOwned(press.deviceID) {
      violationLog.accuse(
        .messageByStranger, at: now,
        "host \(index + 1) handed out \(message.text), which no keychain of the account asked for")
    }
    guard isTold, let record = current, record.isForSomebody,
      sureContacts?.contains(message.contact) ?? true
    else { return }
    let contact = record.contacts[message.contact]
    guard contact.isRecipient, contact.lastHanded == 0 else { return }
    violationLog.accuse(
      .messageBeforeAlarm, at: now,
      "host \(index + 1) handed out \(message.text), who was not told of the alarm")
  }

  /// What the light says of no incident is about messages.
  mutating func indicatedMessage(
    _ state: ShownState, at now: Instant, _ violationLog: inout ViolationLog
  ) {
    guard state.isOpen else { return }
    guard messages.mayBeSent, state != .accepted || messages.mayBeAccepted(at: now) else {
      return violationLog.accuse(
        .lightBeforeCommit, at: now, "host \(index + 1) says \(state) of no incident and no message"
      )
    }
  }

  /// Why clicks must have raised the alarm; nil: they need not. One of two may have been read
  /// alone, before the other came: then that one raised it.
  func whyClicks(_ entry: DiskRecord.Entry, _ keychains: [KeychainWitness]) -> String? {
    guard !rules.hasSlots, rules.isKeychainClockSteady, !keychains.contains(where: \.isDefective),
      messages.isNoneComplete(since: entry.storedAt)
    else { return nil }
    let press = entry.event.identity
    let isFurther = disk.entries.contains { identity, other in
      identity.kind == .pressed && identity.deviceID == press.deviceID
        && identity.bootNonce == press.bootNonce && identity.clock < press.clock
        && other.incident == 0 && messages.isNoneComplete(since: other.storedAt)
        && press.clock - identity.clock <= 300_000
    }
    return isFurther ? "it was a further click, and no slot was complete" : nil
  }
}
