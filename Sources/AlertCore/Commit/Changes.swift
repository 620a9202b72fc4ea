public import FobBase
public import WireProtocol

/// What is to become durable together: one transaction. Incidents and notifications stand in it
/// once, as they are last, as the account and what is kept of a device do; events and log lines are
/// added.
public struct Changes: Equatable, Sendable {
  public internal(set) var events: [HeardEvent] = []
  /// Of events that were open in these changes or in earlier ones.
  public internal(set) var meanings: [EventIdentity: LateMeaning] = [:]
  public internal(set) var track: [TrackPoint] = []
  public internal(set) var log: [AuditEvent] = []
  public internal(set) var devices: [DeviceID: DeviceRecord] = [:]
  // Lists, since a turn changes one or two of each: a table of them would cost a press an
  // allocation and some hashes.
  package internal(set) var changedIncidents: [Incident] = []
  package internal(set) var messages: [Notification] = []
  /// At most one. An array, since an account is large and most changes have none.
  var accounts: [Account] = []

  public var isEmpty: Bool { self == Changes() }

  /// As it is last; nil where it is as it was.
  public internal(set) var account: Account? {
    get { accounts.first }
    set { accounts = newValue.map { [$0] } ?? [] }
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

public struct TrackPoint: Equatable, Sendable {
  public let incident: IncidentID
  public let at: Timestamp
  public let position: Position
}
