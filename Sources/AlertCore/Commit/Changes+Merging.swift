/// Access by name, and merging the changes of several steps.
extension Changes {
  /// The changed incidents by id.
  public internal(set) var incidents: [IncidentID: Incident] {
    get { Dictionary(uniqueKeysWithValues: changedIncidents.map { ($0.id, $0) }) }
    set { changedIncidents = Array(newValue.values) }
  }

  /// The changed messages by key.
  public internal(set) var notifications: [String: Notification] {
    get { Dictionary(uniqueKeysWithValues: messages.map { ($0.key, $0) }) }
    set { messages = Array(newValue.values) }
  }

  mutating func put(_ incident: Incident) {
    if let place = changedIncidents.firstIndex(where: { $0.id == incident.id }) {
      changedIncidents[place] = incident
    } else {
      changedIncidents.append(incident)
    }
  }

  mutating func put(_ notification: Notification) {
    if let place = messages.firstIndex(where: { $0.isSame(as: notification) }) {
      messages[place] = notification
    } else {
      messages.append(notification)
    }
  }

  /// Merges the changes of several steps, in their order.
  static func merged(_ parts: [Changes]) -> Changes {
    guard var all = parts.first else { return Changes() }
    guard parts.count > 1 else { return all }
    var places: [Notification.ID: Int] = [:]
    for (place, message) in all.messages.enumerated() { places[message.id] = place }
    for later in parts.dropFirst() {
      all.events += later.events
      all.meanings.merge(later.meanings) { $1 }
      for incident in later.changedIncidents { all.put(incident) }
      for message in later.messages {
        let place = places[message.id] ?? all.messages.count
        if place == all.messages.count {
          places[message.id] = place
          all.messages.append(message)
        } else {
          all.messages[place] = message
        }
      }
      all.track += later.track
      all.log += later.log
      if !later.accounts.isEmpty { all.accounts = later.accounts }
      all.checkIns += later.checkIns
      all.devices.merge(later.devices) { $1 }
    }
    return all
  }
}
