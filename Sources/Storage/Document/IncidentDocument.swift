public import AlertCore

/// One incident with everything that is kept of it, as one JSON document (R104): for its owner, and
/// for later inquiries.
///
/// Contacts are named by their ids: it has no name, number, address or PIN.
public struct IncidentDocument: Codable, Equatable, Sendable {
  /// The document's `format`, by which programs recognize it.
  public static let format = "fob-incident"

  /// Always ``format``.
  public let format: String
  /// The version of this shape, 1 today; grows when a field changes its meaning.
  public let version: Int
  /// The incident's name, also in messages and the log.
  public let id: IncidentID
  /// The incident's state when the document was read.
  public let state: EmergencyState
  /// It came of bench devices; only test receivers were told.
  public let isBench: Bool
  /// Other names under which people may have been told of it.
  public let aliases: [IncidentID]
  /// When the first press or trigger opened it.
  public let opened: WallTime
  /// When the countdown ends or ended; nil if it had none.
  public let countdownEnds: WallTime?
  /// When the countdown ended and location tracking began (R55, G3); nil before.
  public let trackingSince: WallTime?
  /// When the alarm was sent; nil if it was not.
  public let sent: WallTime?
  /// When it ended; nil while it is open, and if damage has lost it.
  public let ended: WallTime?
  /// Why it ended; nil as `ended` is.
  public let endReason: EndReason?
  /// Contacts who had it in hand in its last state.
  public let acknowledgedBy: [ContactID]
  /// Contacts who were told, or may have been.
  public let told: [ContactID]
  /// Every acknowledgement in the log, oldest first.
  public let acknowledgements: [Acknowledgement]
  /// The survey that the owner is asked to fill in afterwards.
  public let survey: Survey
  /// Listed presses in the order in which they came, then those that are only counted.
  public let presses: [PressDocument]
  /// How many presses are only counted, beyond the limit.
  public let furtherPresses: Int
  /// Messages by sequence number, then by contact.
  public let notifications: [NotificationDocument]
  /// Positions while it was tracked, oldest first.
  public let track: [Fix]
  /// Its log entries, oldest first.
  public let log: [Line]

  /// What is known of the incident's survey.
  public struct Survey: Codable, Equatable, Sendable {
    /// The owner has opened the survey.
    public let opened: Bool
    /// "I fell" or "I didn't fall"; nil: not answered.
    public let fell: Bool?
    /// Whether the alarm was real: true, false or test; nil: not answered.
    public let outcome: String?
  }

  /// One contact or person who took the incident in hand.
  public struct Acknowledgement: Codable, Equatable, Sendable {
    /// When it was logged.
    public let at: WallTime
    /// The contact's id; nil if it was no contact.
    public let contact: ContactID?
    /// Who said so, as in the log: "button", a token's name, a contact's id; nil if unknown.
    public let who: String?
  }

  /// A position with its time.
  public struct Fix: Codable, Equatable, Sendable {
    /// When the position was taken, by the wall clock.
    public let at: WallTime
    /// In 1e-7 degree, north positive.
    public let latitude: Int32
    /// In 1e-7 degree, east positive.
    public let longitude: Int32
    /// 0 none, 1 weak, 2 good.
    public let quality: UInt8
  }

  /// One log entry, without the incident's name.
  public struct Line: Codable, Equatable, Sendable {
    /// As in ``LogEntry``; grows with every entry.
    public let id: Int64
    /// When it happened.
    public let at: WallTime
    /// What happened, as `AuditEvent.Name` has it.
    public let name: String
    /// The device, 16 hexadecimal digits; nil if the entry names none.
    public let device: String?
    /// The event, as in "boot.n"; nil if the entry names none.
    public let event: String?
    /// The contact that it is about; nil if none.
    public let contact: ContactID?
    /// Who did it; nil if the entry does not say.
    public let who: String?
    /// The notification channel; nil if none.
    public let sink: String?
    /// When a message is tried next; nil if the entry announces no attempt.
    public let next: WallTime?
    /// The facts as fields; nil if there are none or this version cannot read them.
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
    survey = Survey(
      opened: incident.surveyOpened, fell: incident.survey?.fell,
      outcome: incident.survey?.outcome?.rawValue)
    self.presses = presses
    furtherPresses = incident.furtherPresses
    self.notifications = notifications
    self.track = track
    self.log = log
  }

  /// The document as one line of JSON, its keys sorted.
  public func json() throws -> String { try JSON.encodeSorted(self) }
}
