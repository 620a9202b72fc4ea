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

/// What the receiver on the board hears.
public enum GPSSource: Hashable, Sendable {
  /// No receiver.
  case none
  /// A recording of a receiver's bytes, at the pace of the UTC times in it.
  case file(path: String, loop: Bool)
  /// A good fix at one place (1e-7 degree, north and east positive), each second.
  case stationary(latitude: Int32, longitude: Int32)
  /// A good fix that moves.
  case track(GPSTrack)
  /// Bytes as they come: a FIFO, a device, a file that grows, or `-` for standard input.
  case pipe(path: String)
  /// A receiver's trouble at one place, told once or again and again.
  case story(GPSScript, at: Coordinates, loop: Bool)
}

extension Coordinates {
  /// The Royal Observatory, Greenwich: where a keychain is that was told nothing.
  public static let observatory = Coordinates(latitude: 514_778_000, longitude: -15_000)!

  /// Degrees; nil for what is not on the globe.
  init?(degrees latitude: Double, _ longitude: Double) {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
    self.init(
      latitude: Int32((latitude * 1e7).rounded()), longitude: Int32((longitude * 1e7).rounded()))
  }

  var degrees: (latitude: Double, longitude: Double) {
    (Double(latitude) / 1e7, Double(longitude) / 1e7)
  }

  /// As in `51.4778,-0.0015`.
  var text: String { "\(degrees.latitude),\(degrees.longitude)" }
}
