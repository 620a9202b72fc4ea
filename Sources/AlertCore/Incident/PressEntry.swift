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

  /// "boot.n"
  public var event: String { number.text }
  /// 16 hexadecimal digits.
  public var device: String { deviceID.text }
}

extension PressEntry: Codable {
  private enum Key: String, CodingKey {
    case event, device, receivedAt, covers, isAgeUnknown, isSetAside
  }

  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    number = try values.decode(EventNumber.self, text: .event) { EventNumber(text: $0) }
    deviceID = try values.decode(DeviceID.self, text: .device) { DeviceID(text: $0) }
    receivedAt = try values.decode(Timestamp.self, forKey: .receivedAt)
    covers = try values.decode(Int.self, forKey: .covers)
    isAgeUnknown = try values.decodeIfPresent(Bool.self, forKey: .isAgeUnknown)
    isSetAside = try values.decodeIfPresent(Bool.self, forKey: .isSetAside)
  }

  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(event, forKey: .event)
    try values.encode(device, forKey: .device)
    try values.encode(receivedAt, forKey: .receivedAt)
    try values.encode(covers, forKey: .covers)
    try values.encodeIfPresent(isAgeUnknown, forKey: .isAgeUnknown)
    try values.encodeIfPresent(isSetAside, forKey: .isSetAside)
  }
}
