import FobBase
import WireProtocol

/// One line of the log: what happened, to what, and why. The log is append-only (R104); the same
/// lines are what a person watches live.
public struct Happening: Codable, Equatable, Sendable {
  public enum Name: String, Codable, Sendable {
    case event, duplicate, numberReused, incidentOpened, pressAdded, pressJoined, stateChanged
    case pressDecoded, slotRequested
    case committed, commitFailed, storageHealed, auditLost
    case notified, delivered, deliveryFailed, withdrawn
    case acknowledged, silenced, surveyOpened, wrongPIN, resumed, recovered
    case linkUp, linkDown
  }

  public let at: Moment
  public let name: Name
  public var incident: IncidentID?
  /// Sixteen hexadecimal digits.
  public var device: String?
  /// "boot.n"
  public var event: String?
  public var contact: ContactID?
  /// The rest in words; never a PIN, number or position.
  public var detail: String?

  init(_ name: Name, at: Moment, incident: IncidentID? = nil, detail: String? = nil) {
    self.at = at
    self.name = name
    self.incident = incident
    self.detail = detail
  }

  init(_ name: Name, at: Moment, of identity: EventIdentity, detail: String? = nil) {
    self.init(name, at: at, detail: detail)
    device = identity.deviceID.text
    event = identity.number.text
  }
}
