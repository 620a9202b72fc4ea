package import FobBase
import WireProtocol

/// One press as an entry of an incident.
public struct PressEntry: Equatable, Sendable {
  /// Boot counter and number in that boot.
  package let number: EventNumber
  let deviceID: DeviceID
  /// When it came to this core.
  public let receivedAt: Timestamp
  /// How many presses it stands for.
  public let covers: Int
  /// True where nothing proves when it was pressed: in profile `guarded`, or out of reach; else
  /// nil.
  public let isAgeUnknown: Bool?
  /// True where it was made before the disarm and came after it; else nil.
  public let isSetAside: Bool?
  /// Whether it is proved to be of the keychain that it names; nil: that is not paired, or an older
  /// version has stored it.
  public package(set) var isProved: Bool?
  /// The CRC of its identity while it is not proved, by which its proof finds it; else nil.
  package var crc: UInt32?

  /// "boot.n"
  public var event: String { number.text }
  /// 16 hexadecimal digits.
  public var device: String { deviceID.text }
}

extension PressEntry: Codable {
  private enum Key: String, CodingKey {
    case event, device, receivedAt, covers, isAgeUnknown, isSetAside, isProved, crc
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    number = try values.decode(EventNumber.self, text: .event) { EventNumber(text: $0) }
    deviceID = try values.decode(DeviceID.self, text: .device) { DeviceID(text: $0) }
    receivedAt = try values.decode(Timestamp.self, forKey: .receivedAt)
    covers = try values.decode(Int.self, forKey: .covers)
    isAgeUnknown = try values.decodeIfPresent(Bool.self, forKey: .isAgeUnknown)
    isSetAside = try values.decodeIfPresent(Bool.self, forKey: .isSetAside)
    isProved = try values.decodeIfPresent(Bool.self, forKey: .isProved)
    crc = try values.decodeIfPresent(UInt32.self, forKey: .crc)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(event, forKey: .event)
    try values.encode(device, forKey: .device)
    try values.encode(receivedAt, forKey: .receivedAt)
    try values.encode(covers, forKey: .covers)
    try values.encodeIfPresent(isAgeUnknown, forKey: .isAgeUnknown)
    try values.encodeIfPresent(isSetAside, forKey: .isSetAside)
    try values.encodeIfPresent(isProved, forKey: .isProved)
    try values.encodeIfPresent(crc, forKey: .crc)
  }
}

extension Incident {
  /// A copy of a press came with its proof.
  /// - Returns: the place of its entry; nil where no entry lacks this proof.
  mutating func prove(_ identity: EventIdentity) -> Int? {
    let place = presses.firstIndex {
      $0.isProved == false && $0.crc == identity.crc && $0.number == identity.number
        && $0.deviceID == identity.deviceID
    }
    guard let place else { return nil }
    presses[place].isProved = true
    presses[place].crc = nil
    unprovedAlarms = max(0, unprovedAlarms - 1)
    // Now it is news that waits for nothing.
    owesUnproved = false
    return place
  }
}

/// An entry that was proved after it was made.
public struct ProvedPress: Equatable, Sendable {
  /// The incident that it is an entry of.
  public let incident: IncidentID
  /// Its place among the entries, from 0.
  public let place: Int
}
