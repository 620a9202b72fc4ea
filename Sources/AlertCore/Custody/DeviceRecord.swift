/// What is kept of a keychain beside its events.
public struct DeviceRecord: Codable, Equatable, Sendable {
  /// The local day, in days since 1970, on which a low battery was told last (R34).
  public var lowBatteryDay: Int64?
  /// µs since 1970.
  public var firstSeenWall: Int64?
  /// As HELLO says, "major.minor.patch".
  public var firmware: String?

  public init(lowBatteryDay: Int64? = nil, firstSeenWall: Int64? = nil, firmware: String? = nil) {
    self.lowBatteryDay = lowBatteryDay
    self.firstSeenWall = firstSeenWall
    self.firmware = firmware
  }
}
