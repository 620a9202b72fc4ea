public import FobBase
public import WireProtocol

/// All changes of one transaction. Incidents, notifications, the account and device records are in
/// it once each, in their last state; events and log entries are appended.
public struct Changes: Equatable, Sendable {
  /// Events that are new, in the order in which they came.
  public internal(set) var events: [HeardEvent] = []
  /// Meanings of earlier events that were open until now.
  public internal(set) var meanings: [EventIdentity: LateMeaning] = [:]
  /// Positions while people are told, in order.
  public internal(set) var track: [TrackPoint] = []
  /// Log entries, in order.
  public internal(set) var log: [AuditEvent] = []
  /// Whole records of the keychains whose record has changed.
  public internal(set) var devices: [DeviceID: DeviceRecord] = [:]
  // Lists, since a step changes one or two of each: a dictionary would cost a press an allocation
  // and some hashes.
  /// Each incident once, as it is last.
  package internal(set) var changedIncidents: [Incident] = []
  /// Each message once, as it is last.
  package internal(set) var messages: [Notification] = []
  /// At most one. It is an array, since an account is large and most changes have none.
  var accounts: [Account] = []

  /// There is nothing to commit.
  public var isEmpty: Bool { self == Changes() }

  /// The whole account; nil: it has not changed.
  public internal(set) var account: Account? {
    get { accounts.first }
    set { accounts = newValue.map { [$0] } ?? [] }
  }

  /// Sets an event's meaning and incident: in the event's own row if these changes have it, else as
  /// a late meaning.
  mutating func settle(
    _ identity: EventIdentity, _ meaning: PressDetector.Meaning, _ incident: IncidentID?
  ) {
    if let index = events.firstIndex(where: { $0.record.identity == identity }) {
      events[index].meaning = meaning
      events[index].incident = incident
    } else {
      meanings[identity] = LateMeaning(meaning: meaning, incident: incident)
    }
  }
}

/// The meaning of an event that became known after its row was made.
public struct LateMeaning: Equatable, Sendable {
  /// Replaces the `.open` of the event's row.
  public let meaning: PressDetector.Meaning
  /// The incident that it became an entry of; nil: none.
  public let incident: IncidentID?
}

/// One position of an incident's track (R55, G3).
public struct TrackPoint: Equatable, Sendable {
  /// The incident whose track it belongs to.
  public let incident: IncidentID
  /// When the position came to the core.
  public let at: Timestamp
  /// As the keychain reported it.
  public let position: Position
}

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
      all.devices.merge(later.devices) { $1 }
    }
    return all
  }
}

/// What the store has of one keychain beside its events.
public struct DeviceRecord: Codable, Equatable, Sendable {
  /// 0 to 100, as last read; nil: never read.
  public var batteryPercent: UInt8?
  /// The local day on which a low battery was last told, counted from 1970-01-01 (R34).
  public var lowBatteryDay: Int64?
  /// When it was first linked, µs since 1970.
  public var firstSeenWall: Int64?
  /// The version of its firmware, as it says itself.
  public var firmware: String?
  /// The nonce of a boot whose clock or numbers contradicted themselves, so that they prove
  /// nothing.
  public var doubtedBoot: UInt32?

  /// A new keychain's record, where no argument is given.
  public init(
    batteryPercent: UInt8? = nil, lowBatteryDay: Int64? = nil, firstSeenWall: Int64? = nil,
    firmware: String? = nil, doubtedBoot: UInt32? = nil
  ) {
    self.batteryPercent = batteryPercent
    self.lowBatteryDay = lowBatteryDay
    self.firstSeenWall = firstSeenWall
    self.firmware = firmware
    self.doubtedBoot = doubtedBoot
  }
}
