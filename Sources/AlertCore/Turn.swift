/// What one input has led to, gathered while it is handled.
struct Turn {
  var changes = Changes()
  private(set) var told: [Notification] = []
  /// An incident that ended in this turn.
  private(set) var closed: Incident?
  /// Told live but not kept: what the log itself leads to.
  private(set) var said: [Happening] = []

  mutating func changed(_ incident: Incident) { changes.put(incident) }

  mutating func tell(_ notification: Notification) {
    told.append(notification)
    changes.put(notification)
  }

  mutating func withdraw(_ withdrawn: [Notification], at now: Moment) {
    for notification in withdrawn {
      changes.put(notification)
      note(
        Happening(.withdrawn, at: now, notification.facts(nil)), notification.incident,
        contact: notification.contact.id)
    }
  }

  mutating func say(_ happening: consuming Happening) { said.append(happening) }

  mutating func close(_ incident: Incident) { closed = incident }

  mutating func note(
    _ happening: consuming Happening, _ incident: IncidentID? = nil, contact: ContactID? = nil
  ) {
    if let incident { happening.incident = incident }
    if let contact { happening.contact = contact }
    changes.log.append(happening)
  }
}
