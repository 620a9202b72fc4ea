import AlertCore
import FobBase
import WireProtocol

/// A press of an incident, with the contents of its event.
public struct PressDocument: Codable, Equatable, Sendable {
  /// The event's number, as in "boot.n".
  public let event: String
  /// The device's id, 16 hexadecimal digits.
  public let device: String
  /// When the core received it.
  public let received: WallTime
  /// How many presses it stands for, at least 1.
  public let covers: Int
  /// Nothing proves when the press was made.
  public let isAgeUnknown: Bool
  /// The press was made before the alarm was switched off, and came after it: nobody was told. Nil,
  /// and left out of the JSON, otherwise.
  public let isSetAside: Bool?
  /// Whether the press is proved to be of the keychain that it names. Nil, and left out of the
  /// JSON, where that was not paired, and for presses that are only counted.
  public let isProved: Bool?
  /// Nil if the event's row is missing.
  public let record: Record?

  /// The event as the device sent it.
  public struct Record: Codable, Equatable, Sendable {
    /// The kind as sent; 1 is a press.
    public let kind: UInt8
    /// Device clock at the first edge, µs since its boot.
    public let clock: UInt64
    /// Made anew by the board at each boot; tells two boots with one number apart.
    public let bootNonce: UInt32
    /// µs from the first edge to the device's commit.
    public let commitDelta: UInt32
    /// The flag bits as sent.
    public let flags: UInt8
    /// The byte of detail as sent; its meaning depends on the kind.
    public let detail: UInt8
    /// Battery voltage in millivolts.
    public let millivolts: UInt16
    /// 0 to 100; nil if unknown.
    public let batteryPercent: UInt8?
    /// In 1e-7 degree, north positive; nil if the device never had a fix.
    public let latitude: Int32?
    /// In 1e-7 degree, east positive; nil if the device never had a fix.
    public let longitude: Int32?
    /// 0 none, 1 weak, 2 good.
    public let quality: UInt8
    /// Age of the position in ms; nil if the device never had a fix.
    public let positionAge: UInt32?
    /// How the core read the event: alarm, acknowledge, noted and so on.
    public let meaning: String
    /// When it happened by the fitted clock, µs on the host's boot clock; nil if no fit was known.
    public let happenedAt: Int64?

    init(_ record: EventRecord, meaning: String, happenedAt: Int64?) {
      kind = record.identity.rawKind
      clock = record.identity.clock
      bootNonce = record.identity.bootNonce
      commitDelta = record.commitDelta
      flags = record.flags.rawValue
      detail = record.detail
      millivolts = record.millivolts
      batteryPercent = record.batteryPercent == 255 ? nil : record.batteryPercent
      let isKnown = record.position.isKnown
      latitude = isKnown ? record.position.latitude : nil
      longitude = isKnown ? record.position.longitude : nil
      quality = record.position.quality.rawValue
      positionAge = isKnown ? record.position.age : nil
      self.meaning = meaning
      self.happenedAt = happenedAt
    }
  }
}
