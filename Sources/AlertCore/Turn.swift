/// What one input has led to, gathered while it is handled.
struct Turn {
  var changes = Changes()
  private(set) var told: [Notification] = []
  /// An incident that ended in this turn.
  private(set) var closed: Incident?
  /// Told live but not kept: what the log itself leads to.
  private(set) var said: [Happening] = []

  mutating func changed(_ incident: Incident) { changes.incidents[incident.id] = incident }

  mutating func tell(_ notification: Notification) {
    told.append(notification)
    changes.notifications[notification.key] = notification
  }

  mutating func withdraw(_ withdrawn: [Notification], at now: Moment) {
    for notification in withdrawn {
      changes.notifications[notification.key] = notification
      note(
        Happening(.withdrawn, at: now, detail: notification.summary(nil)), notification.incident,
        contact: notification.contact.id)
    }
  }

  mutating func say(_ happening: Happening) { said.append(happening) }

  mutating func close(_ incident: Incident) { closed = incident }

  mutating func note(
    _ happening: Happening, _ incident: IncidentID? = nil, contact: ContactID? = nil
  ) {
    var happening = happening
    happening.incident = incident ?? happening.incident
    happening.contact = contact ?? happening.contact
    changes.log.append(happening)
  }
}
