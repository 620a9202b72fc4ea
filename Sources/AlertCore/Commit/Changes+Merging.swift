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

  /// Merges the changes of several steps, in their order: each row of a companion is in it once, as
  /// it is last.
  static func merged(_ parts: [Changes]) -> Changes {
    guard var all = parts.first else { return Changes() }
    if parts.count > 1 { all.append(parts.dropFirst()) }
    all.checkIns = all.checkIns.coalesced(by: \.row)
    all.quickMessages = all.quickMessages.coalesced(by: \.row)
    all.reviews = all.reviews.coalesced(by: \.row)
    all.exercises = all.exercises.coalesced(by: \.row)
    return all
  }

  private mutating func append(_ parts: ArraySlice<Changes>) {
    var places: [Notification.ID: Int] = [:]
    for (place, message) in messages.enumerated() { places[message.id] = place }
    for later in parts {
      if later.erasesAccount {
        erase()
        erasesAccount = true
      }
      events += later.events
      meanings.merge(later.meanings) { $1 }
      for incident in later.changedIncidents { put(incident) }
      for message in later.messages {
        let place = places[message.id] ?? messages.count
        if place == messages.count {
          places[message.id] = place
          messages.append(message)
        } else {
          messages[place] = message
        }
      }
      proofs += later.proofs
      track += later.track
      log += later.log
      if !later.accounts.isEmpty { accounts = later.accounts }
      checkIns += later.checkIns
      quickMessages += later.quickMessages
      reviews += later.reviews
      exercises += later.exercises
      affirmations += later.affirmations
      reminders += later.reminders
      devices.merge(later.devices) { $1 }
      moves += later.moves
      decision = later.decision
    }
  }
}

extension Array {
  /// Each row once, as it is last.
  fileprivate func coalesced<Row: Hashable>(by row: (Element) -> Row) -> [Element] {
    guard count > 1 else { return self }
    var seen: Set<Row> = []
    return reversed().filter { seen.insert(row($0)).inserted }.reversed()
  }
}

extension CheckInChange {
  fileprivate enum Row: Hashable {
    case series(Int)
    case checkIn(CheckIn.ID)
    case settings, counts
  }

  fileprivate var row: Row {
    switch self {
    case .series(let series): .series(series.id)
    case .seriesRemoved(let id): .series(id)
    case .checkIn(let checkIn): .checkIn(checkIn.id)
    case .checkInRemoved(let id): .checkIn(id)
    case .settings: .settings
    case .counts: .counts
    }
  }
}

extension MessageChange {
  fileprivate enum Row: Hashable {
    case slot(Int)
    case send(IncidentID)
    case links
  }

  fileprivate var row: Row {
    switch self {
    case .slot(let slot): .slot(slot.slot)
    case .slotEmptied(let slot): .slot(slot)
    case .send(let send): .send(send.id)
    case .sendRemoved(let id): .send(id)
    case .links: .links
    }
  }
}

extension ReviewChange {
  fileprivate enum Row: Hashable {
    case review(Int)
    case template, offer
  }

  fileprivate var row: Row {
    switch self {
    case .review(let review): .review(review.id)
    case .reviewRemoved(let id): .review(id)
    case .template: .template
    case .offer, .offerRemoved: .offer
    }
  }
}

extension ExerciseChange {
  fileprivate var row: Int {
    switch self {
    case .session: 0
    case .totals: 1
    case .settings: 2
    }
  }
}
