/// What is kept of one keychain beside its events.
public struct DeviceRecord: Codable, Equatable, Sendable {
  /// 0 to 100, as it was read last; nil: never read.
  public var batteryPercent: UInt8?
  /// The local day, counted from 1970-01-01, on which a low battery was told last (R34).
  public var lowBatteryDay: Int64?
  /// When it was first linked, µs since 1970.
  public var firstSeenWall: Int64?
  /// Version of its firmware, as it says it itself.
  public var firmware: String?
  /// The nonce of a boot whose clock or numbers contradicted themselves: they prove nothing.
  public var doubtedBoot: UInt32?

  public init(
    batteryPercent: UInt8? = nil, lowBatteryDay: Int64? = nil, firstSeenWall: Int64? = nil,
    firmware: String? = nil, doubtedBoot: UInt32? = nil
  ) {
    self.batteryPercent = batteryPercent
    self.lowBatteryDay = lowBatteryDay
    self.firstSeenWall = firstSeenWall
    self.firmware = firmware
    self.doubtedBoot = doubtedBoot
  }
}
