public import FobBase
import WireProtocol

/// One log entry: what happened, to what, and why. The log is append-only (R104); people who watch
/// live see the same entries.
///
/// It holds numbers instead of text where it can: a press waits until its entries are noted, but
/// not until they are written out.
public struct AuditEvent: Equatable, Sendable {
  /// What happened. The raw value is what the database, the API and programs see.
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
    /// A press came without proof in the name of a paired keychain; a copy came with it.
    case pressUnproved, pressProved
    /// An open press went to the account that has claimed its keychain.
    case pressMoved
    /// A person has paired a keychain with this core, or has ended that.
    case keychainPaired, keychainUnpaired
    case checkInAsked, checkInDue, checkInNagged, checkInCompleted, checkInEscalated
    case checkInCovered, checkInMissed, checkInRemoved, checkInRestored, checkInChanged
    /// A check-in ran out, and nothing could be raised: protection is off, or nobody is logged in.
    case checkInIdle
    case seriesChanged, checkInSettingsChanged
    case slotChanged, messageAsked, messageTaken, messageFailed, messageCancelled
    case helpLinksChanged
    case reviewStarted, reviewSaved, reviewCompleted, reviewDeleted, reviewDeclined
    case reviewTemplateChanged
    /// What an alarm was is seen differently later.
    case outcomeChanged
    case exerciseStarted, exerciseEnded, exerciseSettingsChanged, exerciseTotalsChanged
    case affirmationsChanged, affirmationDue
    case remindersChanged, reviewDue, reviewOpen, tipDue, quoteDue
  }

  /// When the core noted it.
  public let at: Timestamp
  /// Says which of the other fields are set, together with `facts`.
  public let name: Name
  /// The incident that it belongs to; nil: none.
  public var incident: IncidentID?
  /// The contact that it is about; nil: none.
  public var contact: ContactID?
  /// Who did it: "button", "core", "console", "control-socket", the name of a token, the id of a
  /// contact; never the name of a person (R104).
  public internal(set) var who: String?
  private var deviceID: DeviceID?
  private var number: EventNumber?
  var reason: Reason?
  /// How many equal entries this one stands for, itself included.
  private var alike: UInt32 = 1
  private var route: Route?

  /// The channel and next attempt of a message. Boxed, as its reason is.
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

  /// Of a press of which an entry alone is known.
  init(_ name: Name, at: Timestamp, number: EventNumber, of device: DeviceID) {
    self.init(name, at: at, device: device)
    self.number = number
  }

  init(_ name: Name, at: Timestamp, _ outcome: Notification.Outcome) {
    self.init(name, at: at, .message(outcome.message))
    route = outcome.route
  }

  /// The entry as the last of `count` equal ones.
  func standing(for count: UInt32) -> AuditEvent {
    var last = self
    last.alike = max(1, count)
    return last
  }

  /// Sixteen hexadecimal digits.
  public var device: String? { deviceID?.text }
  /// "boot.n"
  public var event: String? { number?.text }
  /// The details; nil where the name says it all.
  public var facts: Facts? {
    reason == nil && alike == 1 ? nil : Facts(reason, alike: alike)
  }
  /// Set for a change of state only.
  public var transition: Transition? {
    if case .became(let transition) = reason { transition } else { nil }
  }
  /// For a message: the name of the notification channel that took or refused it.
  public var sink: String? {
    if case .of(let sink, _) = route { sink } else { nil }
  }
  /// For a message that was refused: when it is tried next, µs since 1970.
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
  /// - Parameter text: 16 hexadecimal digits, small or capital.
  /// - Returns: nil for any other text.
  public init?(text: String) {
    guard text.utf8.count == 16, text.utf8.first != UInt8(ascii: "+"),
      let value = UInt64(text, radix: 16)
    else { return nil }
    self.init(rawValue: value)
  }
}

extension Decoder {
  /// Decodes a value that is one text.
  /// - Parameter what: its name for whoever reads the error.
  func read<T>(_ what: String, _ read: (String) -> T?) throws -> T {
    let text = try singleValueContainer().decode(String.self)
    guard let value = read(text) else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: "no \(what): \(text)"))
    }
    return value
  }
}

extension KeyedDecodingContainer {
  /// Decodes a value that is written as text and held as a number.
  func decode<T>(_ type: T.Type, text key: Key, _ read: (String) -> T?) throws -> T {
    let text = try decode(String.self, forKey: key)
    guard let value = read(text) else {
      throw DecodingError.dataCorruptedError(
        forKey: key, in: self, debugDescription: "no \(type): \(text)")
    }
    return value
  }
}
