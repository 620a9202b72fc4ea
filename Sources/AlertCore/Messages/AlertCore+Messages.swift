import FobBase
import WireProtocol

/// The five messages beside the alarm: no press and no message of an alarm waits for them.
extension AlertCore {
  /// Whom a slot's message would reach, with the ways to them; nil: the slot is not complete.
  private func recipient(of slot: Int) -> Contact? {
    guard let filled = messages.slots[slot], !filled.message.isEmpty,
      var contact = filled.recipient(in: engine.account)
    else { return nil }
    if let ways = engine.ways[contact.id] {
      guard !ways.isEmpty else { return nil }
      contact.ways = ways
    }
    return contact
  }

  /// The slots that clicks of the account's keychains ask for.
  public var completeSlots: PanicSlots {
    PanicSlots(PanicSlots.range.map(Int.init).filter { recipient(of: $0) != nil }) ?? .none
  }

  /// The detector reads clicks by the slots that are complete now.
  mutating func learnSlots() {
    detector.ownSlots = messages.slots.isEmpty ? .none : completeSlots
    detector.owned = engine.owned
  }

  private func send(
    _ slot: Int, _ id: IncidentID, by who: String, isBench: Bool, at now: Timestamp
  ) -> MessageSend? {
    guard let recipient = recipient(of: slot), let filled = messages.slots[slot] else { return nil }
    let place = filled.addsPosition ? position(of: id, at: now) : nil
    return MessageSend(
      id: id, slot: slot, recipient: recipient,
      message: filled.message + (place?.text(checkIns.zone ?? .utc) ?? ""), by: who,
      isBench: isBench, decidedWall: now.wall)
  }

  /// Of the keychain that was clicked; of a request, the newest of the account's keychains.
  private func position(of id: IncidentID, at now: Timestamp) -> Position? {
    guard engine.account.mayLocate else { return nil }
    let known =
      id.device == 0
      ? engine.positions.filter { engine.owns($0.key) }.values.max { $0.wall < $1.wall }
      : engine.positions[DeviceID(rawValue: id.device)]
    return known.flatMap {
      (0...Position.sentWithin.microseconds).contains(now.wall.since($0.wall)) ? $0 : nil
    }
  }

  // MARK: Clicks

  /// Sends what clicks have asked for.
  mutating func sendSlot(
    _ verdict: PressDetector.Verdict, _ press: HeardEvent, at now: Timestamp,
    _ output: inout CoreOutput
  ) {
    if case .slot(let slot) = verdict.meaning {
      let obstacle = send(Int(slot), for: press, isLate: false, at: now, &output)
      let error = obstacle.map { "NOT sent, \($0)" }
      output.note(
        AuditEvent(
          .slotRequested, at: now, of: press.identity, .slot(slot, attempt: nil, error: error)))
    } else if verdict.meaning == .noted, case .lateClicks(let count)? = verdict.cause, count > 1 {
      _ = send(count - 1, for: press, isLate: true, at: now, &output)
    }
  }

  /// While an alarm is open that the clicks are entries of, people are told already.
  /// - Returns: why nothing is sent, as a clause; nil: it is, or it came too late.
  private mutating func send(
    _ slot: Int, for press: HeardEvent, isLate: Bool, at now: Timestamp,
    _ output: inout CoreOutput
  ) -> String? {
    let device = press.identity.deviceID
    if let open = engine.open, !open.isUnclaimed, open.isBench == device.isBench {
      return "an alarm is open"
    }
    guard engine.owns(device),
      let send = send(
        slot, IncidentID(press.identity), by: "button", isBench: device.isBench || policy.isBench,
        at: now)
    else { return "the slot is not complete" }
    if isLate {
      messages.askedTooLate(send, of: press.identity, at: now, &output)
    } else {
      messages.ask(send, of: press.identity, at: now, &output)
    }
    return nil
  }

  // MARK: Requests

  mutating func perform(
    _ command: MessageCommand, isProven: Bool, by who: String, at now: Timestamp,
    _ output: inout CoreOutput
  ) -> UserCommand.Refusal? {
    if let companionRefusal { return companionRefusal }
    let account = engine.account
    let mayChange = isProven || !account.asksForPIN
    switch command {
    case .fill(let draft):
      guard mayChange else { return .pinNeeded }
      do throws(UserCommand.Refusal) {
        messages.fill(try draft.checked(account), by: who, at: now, &output)
      } catch {
        return error
      }
    case .empty(let slot):
      guard mayChange else { return .pinNeeded }
      guard messages.slots[slot] != nil else { return .unchanged }
      messages.empty(slot, by: who, at: now, &output)
    case .send(let slot, let key):
      guard (1...100).contains(key.utf8.count) else {
        return .invalid("key", "is not 1 to 100 bytes long")
      }
      guard
        let send = send(
          slot, IncidentID(messageKey: key), by: who, isBench: policy.isBench, at: now)
      else {
        output.note(
          AuditEvent(
            .messageFailed, at: now, by: who,
            .slot(UInt8(clamping: slot), attempt: nil, error: "the slot is not complete")))
        return .incomplete
      }
      messages.ask(send, at: now, &output)
    case .links(let links):
      guard links.count <= HelpLink.most else {
        return .tooMany("help links", limit: HelpLink.most)
      }
      do throws(UserCommand.Refusal) {
        var checked: [HelpLink] = []
        for link in links { checked.append(try link.checked()) }
        messages.replace(checked, by: who, at: now, &output)
      } catch {
        return error
      }
    }
    learnSlots()
    return nil
  }

  // MARK: Handing out

  /// Hands out what is due, behind the alarm's messages of the same turn.
  mutating func handOutMessages(at now: Timestamp, _ output: inout CoreOutput) {
    guard messages.isSending else { return }
    output.deliveries += messages.takeDue(
      at: now, answerWithin: policy.answerWithin, &output,
      isBehind: { [outbox] in outbox.isTelling($0) })
  }
}

extension Outbox {
  /// A message of an alarm to this person is to be handed out, or is with its channel. The end of
  /// one alarm that waits for the end of another holds nothing back.
  func isTelling(_ contact: Contact) -> Bool {
    queues.contains { queue in
      let first = queue.messages[0]
      return first.contact.address == contact.address && !queue.isEnd(otherThan: open)
        && (first.delivery != .due || first.attempts == 0)
    }
  }
}
