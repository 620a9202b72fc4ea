public import FobBase
public import WireProtocol

/// What is to become durable together: one transaction. Incidents and notifications stand in it
/// once, as they are last, as the account and what is kept of a device do; events and log lines are
/// added.
public struct Changes: Equatable, Sendable {
  public internal(set) var events: [CommittedEvent] = []
  /// Of events that were open in these changes or in earlier ones.
  public internal(set) var meanings: [EventIdentity: LateMeaning] = [:]
  public internal(set) var incidents: [IncidentID: Incident] = [:]
  public internal(set) var track: [TrackPoint] = []
  public internal(set) var log: [Happening] = []
  public internal(set) var devices: [DeviceID: DeviceRecord] = [:]
  package private(set) var messages: [Notification.ID: Notification] = [:]
  /// At most one. An array, since an account is large and most changes have none.
  private var accounts: [Account] = []

  public var isEmpty: Bool {
    events.isEmpty && meanings.isEmpty && incidents.isEmpty && messages.isEmpty
      && track.isEmpty && log.isEmpty && accounts.isEmpty && devices.isEmpty
  }

  /// As it is last; nil where it is as it was.
  public internal(set) var account: Account? {
    get { accounts.first }
    set { accounts = newValue.map { [$0] } ?? [] }
  }

  /// The messages by their keys.
  public internal(set) var notifications: [String: Notification] {
    get { Dictionary(uniqueKeysWithValues: messages.values.map { ($0.key, $0) }) }
    set { messages = Dictionary(uniqueKeysWithValues: newValue.values.map { ($0.id, $0) }) }
  }

  mutating func put(_ notification: Notification) { messages[notification.id] = notification }

  /// Adds what came later.
  mutating func merge(_ later: Changes) {
    events += later.events
    meanings.merge(later.meanings) { $1 }
    incidents.merge(later.incidents) { $1 }
    messages.merge(later.messages) { $1 }
    track += later.track
    log += later.log
    if !later.accounts.isEmpty { accounts = later.accounts }
    devices.merge(later.devices) { $1 }
  }

  /// What an event means and the incident that it became an entry of: in its own row, where that is
  /// of these changes.
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

/// What became known of an event after it was taken in.
public struct LateMeaning: Equatable, Sendable {
  public let meaning: PressDetector.Meaning
  /// The incident that it became an entry of.
  public let incident: IncidentID?
}

/// An event with its meaning: "exactly one entry in the core that it reaches".
public struct CommittedEvent: Equatable, Sendable {
  public let record: EventRecord
  public internal(set) var meaning: PressDetector.Meaning
  /// The incident that it became an entry of.
  public internal(set) var incident: IncidentID?
  public let receivedAt: Moment
  /// When it happened by the fitted clock, µs on the host's; nil where no fit was known.
  public let happenedAt: Int64?
}

public struct TrackPoint: Equatable, Sendable {
  public let incident: IncidentID
  public let at: Moment
  public let position: Position
}
