public import FobBase
import WireProtocol

/// One log entry: what happened, to what, and why. The log is append-only (R104); the same
/// lines are what a person watches live.
///
/// It keeps numbers where it can: a press waits until its lines are noted, not until they are
/// written out.
public struct AuditEvent: Equatable, Sendable {
  public enum Name: String, CaseIterable, Encodable, Sendable {
    case event, duplicate, numberReused, incidentOpened, pressAdded, pressJoined, stateChanged
    case pressDecoded, slotRequested
    case committed, commitFailed, storageHealed, auditLost, leftToDevice
    case notified, delivered, deliveryFailed, withdrawn
    case acknowledged, silenced, surveyOpened, wrongPIN, resumed, recovered
    case linkUp, linkDown, lineTrouble
    case surveyAnswered, triggerAdded, accountChanged, pinBlocked, batteryLow
    case recordsDamaged
    /// A keychain's clock or numbers contradict themselves.
    case bootDoubted
  }

  public let at: Timestamp
  public let name: Name
  public var incident: IncidentID?
  public var contact: ContactID?
  /// Who did it: "button", "core", "console", the name of a token, the id of a contact; never the
  /// name of a person (R104).
  public internal(set) var who: String?
  private var deviceID: DeviceID?
  private var number: EventNumber?
  private var reason: Reason?
  /// The last of so many that were alike.
  private var alike: UInt32 = 1
  private var route: Route?

  /// Of a message. Boxed, as its reason is.
  indirect enum Route: Equatable, Sendable {
    case of(sink: String?, nextWall: Int64?)

    init?(sink: String?, nextWall: Int64?) {
      guard sink != nil || nextWall != nil else { return nil }
      self = .of(sink: sink, nextWall: nextWall)
    }
  }

  init(
    _ name: Name, at: Timestamp, by who: String? = nil, device: DeviceID? = nil,
    of identity: EventIdentity? = nil, _ reason: Reason? = nil
  ) {
    self.at = at
    self.name = name
    self.who = who
    deviceID = identity?.deviceID ?? device
    number = identity?.number
    self.reason = reason
  }

  init(_ name: Name, at: Timestamp, _ outcome: Notification.Outcome) {
    self.init(name, at: at, .message(outcome.message))
    route = outcome.route
  }

  /// The last of `count` that were alike.
  func standing(for count: UInt32) -> AuditEvent {
    var last = self
    last.alike = max(1, count)
    return last
  }

  /// Sixteen hexadecimal digits.
  public var device: String? { deviceID?.text }
  /// "boot.n"
  public var event: String? { number?.text }
  /// What it says beside; nil where its name says it all.
  public var facts: Facts? {
    reason == nil && alike == 1 ? nil : Facts(reason, alike: alike)
  }
  /// Of a change of state.
  public var transition: Transition? {
    if case .became(let transition) = reason { transition } else { nil }
  }
  /// Of a message: the name of the notification channel that took it or refused it.
  public var sink: String? {
    if case .of(let sink, _) = route { sink } else { nil }
  }
  /// Of a message that was refused: when it is tried next, µs since 1970.
  public var nextWall: Int64? {
    if case .of(_, let wall) = route { wall } else { nil }
  }
  /// The facts in words, for people alone; never a PIN, number or position.
  public var detail: String? { facts?.words }
}

extension AuditEvent: Encodable {
  private enum Key: String, CodingKey {
    case at, name, incident, device, event, contact, who, sink, nextWall, facts
    case detail
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(at, forKey: .at)
    try values.encode(name, forKey: .name)
    try values.encodeIfPresent(incident, forKey: .incident)
    try values.encodeIfPresent(device, forKey: .device)
    try values.encodeIfPresent(event, forKey: .event)
    try values.encodeIfPresent(contact, forKey: .contact)
    try values.encodeIfPresent(who, forKey: .who)
    try values.encodeIfPresent(sink, forKey: .sink)
    try values.encodeIfPresent(nextWall, forKey: .nextWall)
    try values.encodeIfPresent(facts, forKey: .facts)
    try values.encodeIfPresent(detail, forKey: .detail)
  }
}

extension DeviceID {
  /// - Returns: nil for a text that is no name of a keychain.
  public init?(text: String) {
    guard text.utf8.count == 16, text.utf8.first != UInt8(ascii: "+"),
      let value = UInt64(text, radix: 16)
    else { return nil }
    self.init(rawValue: value)
  }
}

extension KeyedDecodingContainer {
  /// A value that is kept as a number and told as a text.
  func decode<T>(_ type: T.Type, text key: Key, _ read: (String) -> T?) throws -> T {
    let text = try decode(String.self, forKey: key)
    guard let value = read(text) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "no \(type): \(text)")
    }
    return value
  }
}
