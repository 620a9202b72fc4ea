import AlertCore
import FobBase
import WireProtocol

/// A press of an incident, with what its event said.
public struct PressDocument: Codable, Equatable, Sendable {
  /// "boot.n"
  public let event: String
  public let device: String
  public let received: WallTime
  /// How many presses it stands for.
  public let covers: Int
  /// Nothing proves when it was pressed.
  public let isAgeUnknown: Bool
  /// It was made before the alarm was switched off, and came after it: nobody was told. Left out
  /// where it was not.
  public let isSetAside: Bool?
  /// Nil where the event's row is not there.
  public let record: Record?

  /// The event as the device sent it.
  public struct Record: Codable, Equatable, Sendable {
    /// As sent; 1 is a press.
    public let kind: UInt8
    /// Device clock at the first edge, µs since its boot.
    public let clock: UInt64
    public let bootNonce: UInt32
    /// From the first edge to the device's commit, µs.
    public let commitDelta: UInt32
    /// Bits as sent.
    public let flags: UInt8
    public let detail: UInt8
    public let millivolts: UInt16
    /// Nil: unknown.
    public let batteryPercent: UInt8?
    /// 1e-7 degree; nil: the device never had a fix.
    public let latitude: Int32?
    public let longitude: Int32?
    /// 0 none, 1 weak, 2 good.
    public let quality: UInt8
    /// ms; nil: the device never had a fix.
    public let positionAge: UInt32?
    /// As the core read it: alarm, acknowledge, noted and so on.
    public let meaning: String
    /// When it happened by the fitted clock, µs on the host's boot clock; nil where no fit was
    /// known.
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
