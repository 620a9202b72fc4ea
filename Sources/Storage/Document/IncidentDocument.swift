public import AlertCore

/// One incident with all that is kept of it, as one JSON document (R104): for its owner, and for
/// whoever has to say afterwards what was done.
///
/// Contacts stand in it by their ids: no name, number, address or PIN.
public struct IncidentDocument: Codable, Equatable, Sendable {
  public static let format = "fob-incident"

  public let format: String
  /// Of this shape; grows when a field changes its meaning.
  public let version: Int
  public let id: IncidentID
  public let state: EmergencyState
  public let isBench: Bool
  /// Other names that it may have been told by.
  public let aliases: [IncidentID]
  public let opened: WallTime
  public let countdownEnds: WallTime?
  public let trackingSince: WallTime?
  public let sent: WallTime?
  public let ended: WallTime?
  public let endReason: EndReason?
  /// Contacts who have it in hand at its last state.
  public let acknowledgedBy: [ContactID]
  /// Contacts who were, or may have been, told.
  public let told: [ContactID]
  public let acknowledgements: [Acknowledgement]
  public let survey: Survey
  /// In the order in which they came.
  public let presses: [PressDocument]
  /// Presses that are counted only, beyond the limit.
  public let furtherPresses: Int
  /// In the order in which they were decided.
  public let notifications: [NotificationDocument]
  public let track: [Fix]
  public let log: [Line]

  public struct Survey: Codable, Equatable, Sendable {
    public let opened: Bool
  }

  public struct Acknowledgement: Codable, Equatable, Sendable {
    public let at: WallTime
    public let contact: ContactID?
    public let who: String?
  }

  public struct Fix: Codable, Equatable, Sendable {
    public let at: WallTime
    /// 1e-7 degree, north and east positive.
    public let latitude: Int32
    public let longitude: Int32
    /// 0 none, 1 weak, 2 good.
    public let quality: UInt8
  }

  /// A log entry; the incident's name is not repeated.
  public struct Line: Codable, Equatable, Sendable {
    public let id: Int64
    public let at: WallTime
    public let name: String
    public let device: String?
    public let event: String?
    public let contact: ContactID?
    public let who: String?
    public let sink: String?
    public let next: WallTime?
    public let facts: Facts?
    /// The facts in words, for people alone.
    public let detail: String?

    init(_ line: LogEntry) {
      id = line.id
      at = WallTime(line.wall)
      name = line.name
      device = line.device
      event = line.event
      contact = line.contact
      who = line.who
      sink = line.sink
      next = line.nextWall.map { WallTime($0) }
      facts = line.facts?.read
      detail = line.detail
    }
  }

  init(
    _ incident: Incident, presses: [PressDocument], notifications: [NotificationDocument],
    track: [Fix], log: [Line]
  ) {
    format = Self.format
    version = 1
    id = incident.id
    state = incident.state
    isBench = incident.isBench
    aliases = incident.aliases
    opened = WallTime(incident.openedAt)
    countdownEnds = incident.countdownEnds.map { WallTime($0) }
    trackingSince = incident.trackingSince.map { WallTime($0) }
    sent = incident.sentAt.map { WallTime($0) }
    ended = incident.endedAt.map { WallTime($0) }
    endReason = incident.endReason
    acknowledgedBy = incident.acknowledgedBy
    told = incident.told
    acknowledgements = log.filter { $0.name == AuditEvent.Name.acknowledged.rawValue }.map {
      Acknowledgement(at: $0.at, contact: $0.contact, who: $0.who)
    }
    survey = Survey(opened: incident.surveyOpened)
    self.presses = presses
    furtherPresses = incident.furtherPresses
    self.notifications = notifications
    self.track = track
    self.log = log
  }

  /// As one line of JSON; the keys stand in the order of their letters.
  public func json() throws -> String { try JSON.encodeSorted(self) }
}
