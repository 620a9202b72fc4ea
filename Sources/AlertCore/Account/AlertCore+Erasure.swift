import FobBase

/// What becomes of everything beside the account when its owner erases it (R86): what they entered
/// goes; alarms stay without words and positions, with contacts by their ids; nobody is told of
/// them any more.
extension AlertCore {
  /// The account itself is erased already.
  mutating func eraseCompanions(at now: Timestamp, _ output: inout CoreOutput) {
    output.changes.erasesAccount = true
    let channels = Set(engine.channels.map(\.id))
    output.withdraw(outbox.erase(keeping: channels).map(\.anonymous), at: now)
    engine.erasePerson()
    // The ids of series go on: an alarm that one of them raised has its name by it.
    var counts = CheckInCounts()
    counts.lastSeries = checkIns.counts.lastSeries
    output.changes.checkIns.append(.counts(counts))
    let zone = checkIns.zone
    checkIns = CheckIns()
    (checkIns.counts, checkIns.zone) = (counts, zone)
    messages = QuickMessages()
    reviews = Reviews()
    exercises = Exercises()
    affirmations = Affirmations()
    reminders = Reminders()
    learnSlots()
  }
}

extension AlertEngine {
  fileprivate mutating func erasePerson() {
    positions = [:]
    history.erasePerson()
  }
}

extension Outbox {
  /// Forgets all messages to people: none is handed out any more, and no answer counts.
  /// - Parameter channels: recipients that are no persons.
  /// - Returns: the messages, withdrawn.
  fileprivate mutating func erase(keeping channels: Set<ContactID>) -> [Notification] {
    let erased = queues.filter { !channels.contains($0.contact) }.flatMap(\.messages)
    queues.removeAll { !channels.contains($0.contact) }
    held.removeAll { !channels.contains($0.id.contact) }
    withdrawing.subtract(erased.map(\.key))
    return erased.map(\.withdrawn)
  }
}

extension Changes {
  /// The account is erased after these changes: what of them is its owner's goes with it.
  mutating func erase() {
    for index in events.indices { events[index].record = events[index].record.unlocated }
    changedIncidents = changedIncidents.map(\.anonymous)
    messages = messages.map { $0.delivery.isOver ? $0.anonymous : $0 }
    log = log.map(\.anonymous)
    (track, checkIns, quickMessages, reviews) = ([], [], [], [])
    (exercises, affirmations, reminders) = ([], [], [])
  }
}

extension Incident {
  /// Without words and positions.
  package var anonymous: Incident {
    var incident = self
    (incident.question, incident.lastPosition) = (nil, nil)
    return incident
  }
}

extension Notification {
  /// The contact by its id alone; without words, positions and the channel's, which may name them.
  fileprivate var anonymous: Notification {
    var notification = self
    notification.contact = Contact(id: contact.id, name: contact.id)
    (notification.position, notification.question, notification.lastError) = (nil, nil, nil)
    return notification
  }
}

extension AuditEvent {
  /// What erasure leaves of a channel's refusal, which may name a person.
  package static let erasedRefusal = "erased"

  /// Without a channel's words.
  fileprivate var anonymous: AuditEvent {
    var event = self
    switch event.reason {
    case .message(let message) where message.error != nil:
      event.reason = .message(
        Reason.Message(
          kind: message.kind, sequence: message.sequence, attempt: message.attempt,
          error: Self.erasedRefusal))
    case .slot(let slot, let attempt, .some):
      event.reason = .slot(slot, attempt: attempt, error: Self.erasedRefusal)
    default: break
    }
    return event
  }
}
