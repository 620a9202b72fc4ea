public import WireProtocol

/// What is to become durable together: one transaction. Incidents and notifications stand in it
/// once, as they are last; events and log lines are added.
public struct Changes: Equatable, Sendable {
  public internal(set) var events: [CommittedEvent] = []
  public internal(set) var incidents: [IncidentID: Incident] = [:]
  public internal(set) var notifications: [String: Notification] = [:]
  public internal(set) var track: [TrackPoint] = []
  public internal(set) var log: [Happening] = []

  public var isEmpty: Bool {
    events.isEmpty && incidents.isEmpty && notifications.isEmpty && track.isEmpty && log.isEmpty
  }

  /// Adds what came later.
  mutating func merge(_ later: Changes) {
    events += later.events
    incidents.merge(later.incidents) { $1 }
    notifications.merge(later.notifications) { $1 }
    track += later.track
    log += later.log
  }
}

/// An event with its meaning: "exactly one entry in the core that it reaches".
public struct CommittedEvent: Equatable, Sendable {
  public let record: EventRecord
  public let meaning: PressDetector.Meaning
  /// The incident that it became an entry of.
  public let incident: IncidentID?
  public let receivedAt: Moment
  /// When it happened by the fitted clock, µs on the host's; nil where no fit was known.
  public let happenedAt: Int64?
}

public struct TrackPoint: Equatable, Sendable {
  public let incident: IncidentID
  public let at: Moment
  public let position: Position
}
