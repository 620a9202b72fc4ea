import FobBase
import Sinks
import WireProtocol

@testable import AlertCore

extension Account {
  static let owner = Account(
    name: "Owner", zone: "America/New_York",
    contacts: [Contact(id: "contact-1", name: "Contact 1", address: "contact-1@example.org")],
    places: [
      Place(name: "the Royal Observatory", latitude: 514_778_000, longitude: -14_000),
      Place(name: "the market", latitude: 514_812_000, longitude: -90_000),
    ])

  func inZone(_ zone: String) -> Account {
    var account = self
    account.zone = zone
    return account
  }

  func at(_ places: [Place]) -> Account {
    var account = self
    account.places = places
    return account
  }
}

extension Timestamp {
  /// 14 January 2026, 11:47pm in New York; 4:47am UTC of the 15th.
  static let evening = Timestamp(
    boot: 1, instant: Instant(microseconds: 0), wall: 1_768_452_420_000_000)
}

extension DeviceID {
  static let live = DeviceID(rawValue: 0x0012_3456_789A_BCDE)
}

extension Position {
  static let observatory = Position(
    latitude: 514_778_000, longitude: -15_000, quality: 2, wall: Timestamp.evening.wall)

  func measured(_ earlier: Interval) -> Position {
    var position = self
    position.wall -= earlier.microseconds
    return position
  }
}

extension Notification {
  static func sample(
    _ kind: Kind, at position: Position? = .observatory, ended: EndReason? = nil,
    sequence: Int = 1, trigger: Trigger.Source? = nil,
    question: UnansweredCheckIn? = nil, isPressed: Bool = false, device: DeviceID = .live,
    handovers: Int? = nil
  ) -> Notification {
    let opening = EventIdentity(
      deviceID: device, number: EventNumber(boot: 1, n: 1), kind: .pressed, clock: 1, bootNonce: 1)
    var incident = Incident(
      IncidentID(opening), of: device, .open(.sending(Stage.Sending(since: .evening))),
      trigger: trigger, at: .evening)
    incident.question = question
    incident.handovers = handovers
    if isPressed, trigger != nil { incident.lastPressAt = .evening }
    if let ended { _ = incident.end(ended, at: .evening) }
    return Notification(
      kind, to: Account.owner.contacts[0], of: incident, sequence: sequence, position: position,
      at: .evening)
  }
}

extension UnansweredCheckIn {
  /// Due at 11:27pm in New York, 20 minutes before the evening.
  static let wellness = UnansweredCheckIn(
    description: "Am I well?", due: Timestamp.evening.wall - 1_200_000_000)
}

extension OutgoingMessage {
  static func sample(
    _ kind: Notification.Kind, of name: String = "Owner", sequence: Int = 1,
    device: DeviceID = .bench(1)
  ) -> OutgoingMessage {
    var account = Account.owner
    account.name = name
    return OutgoingMessage(
      .sample(kind, sequence: sequence, device: device), account: account, now: .evening)
  }
}
