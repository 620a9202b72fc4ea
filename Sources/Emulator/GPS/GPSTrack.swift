public import NMEA

/// A way that a generated receiver takes.
public struct GPSTrack: Hashable, Sendable {
  /// Metres a second; a walk.
  public static let defaultSpeed = 1.4
  public static let fastest = 1_000.0
  public static let maxWaypoints = 1_000

  public enum Course: Hashable, Sendable {
    /// Degrees clockwise from north, and the degrees that it turns by in a second.
    case heading(from: Coordinates, course: Double, turn: Double)
    /// Straight from each to the next, and from the last to the first again.
    case waypoints([Coordinates])
  }

  public var way: Course
  /// Metres a second, 0 to 1000.
  public var speed: Double
  /// Epochs a second, 1 to 10.
  public var hertz: Int

  public init(_ way: Course, speed: Double = defaultSpeed, hertz: Int = 1) {
    self.way = way
    self.speed = speed
    self.hertz = hertz
  }
}
