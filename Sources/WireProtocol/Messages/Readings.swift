/// BATTERY (30): at each change of level and each 60 s (R30, R34).
public struct BatteryReading: Payload, Equatable {
  public static let type = MessageType.battery
  public static let size = 12

  /// Device clock, µs since boot.
  public var clock: UInt64
  public var millivolts: UInt16
  /// 255: unknown.
  public var percent: UInt8
  public var level: BatteryLevel

  public init(clock: UInt64, millivolts: UInt16, percent: UInt8, level: BatteryLevel) {
    self.clock = clock
    self.millivolts = millivolts
    self.percent = percent
    self.level = level
  }

  public init?(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    clock = r.next()
    millivolts = r.next()
    percent = r.next()
    guard let level = BatteryLevel(rawValue: r.next()) else { return nil }
    self.level = level
  }

  public func write(to body: inout FrameBody) {
    body.append(clock)
    body.append(millivolts)
    body.append(percent)
    body.append(level.rawValue)
  }
}

public enum BatteryLevel: UInt8, Sendable { case normal = 0, low, critical }

/// GPS_FIX (31): at each change of quality and at most once a second.
public struct PositionFix: Payload, Equatable {
  public static let type = MessageType.gpsFix
  public static let size = 28

  /// Device clock when the fix was read, µs since boot.
  public var clock: UInt64 = 0
  public var quality = PositionQuality.none
  /// 1e-7 degree.
  public var latitude: Int32 = 0
  public var longitude: Int32 = 0
  /// Centimetres above mean sea level.
  public var altitude: Int32 = 0
  /// Decimetres, 65535 unknown.
  public var accuracy = UInt16.max
  public var satellites: UInt8 = 0
  /// Seconds since 1970, 0 unknown.
  public var utc: UInt32 = 0

  public init() {}

  public init?(_ bytes: UnsafeRawBufferPointer) {
    var r = ByteReader(bytes)
    clock = r.next()
    guard let quality = PositionQuality(rawValue: r.next()) else { return nil }
    self.quality = quality
    latitude = r.next()
    longitude = r.next()
    altitude = r.next()
    accuracy = r.next()
    satellites = r.next()
    utc = r.next()
  }

  public func write(to body: inout FrameBody) {
    body.append(clock)
    body.append(quality.rawValue)
    body.append(latitude)
    body.append(longitude)
    body.append(altitude)
    body.append(accuracy)
    body.append(satellites)
    body.append(utc)
  }
}
