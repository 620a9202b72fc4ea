import WireProtocol

/// A position as it is told to people (R39).
public struct Position: Codable, Equatable, Sendable {
  /// 1e-7 degree, north and east positive.
  public var latitude: Int32
  /// 1e-7 degree, east positive.
  public var longitude: Int32
  /// 0 none, 1 weak, 2 good (R32).
  public var quality: UInt8
  /// When it was measured, µs since 1970 by the host's wall clock.
  public var wall: Int64
  /// How far off it may be, one sigma, in decimetres; nil: unknown, or an older version has stored
  /// it.
  public var accuracy: UInt16?

  /// Takes the values as they are: nothing is checked.
  public init(
    latitude: Int32, longitude: Int32, quality: UInt8, wall: Int64, accuracy: UInt16? = nil
  ) {
    self.accuracy = accuracy
    self.latitude = latitude
    self.longitude = longitude
    self.quality = quality
    self.wall = wall
  }

  /// Whether the coordinates are on earth: a position that is not counts as none, so nobody is sent
  /// there.
  static func isOnEarth(_ latitude: Int32, _ longitude: Int32) -> Bool {
    latitude.magnitude <= 900_000_000 && longitude.magnitude <= 1_800_000_000
  }

  /// The position in an event, which must be known (`position.isKnown`); nil where it is not on
  /// earth.
  init?(_ position: EventPosition, _ happenedAt: ClosedRange<Int64>?, at now: Timestamp) {
    guard Self.isOnEarth(position.latitude, position.longitude) else { return nil }
    let sincePress = happenedAt.map { max(0, now.instant &- $0.lowerBound) } ?? 0
    self.init(
      latitude: position.latitude, longitude: position.longitude,
      quality: position.quality.rawValue,
      wall: now.wall &- sincePress &- Int64(position.age) * 1_000,
      accuracy: position.accuracy == .max ? nil : position.accuracy)
  }
}
