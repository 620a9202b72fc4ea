public import NMEA

/// The way of a generated receiver.
public struct GPSTrack: Hashable, Sendable {
  /// The speed of a walk, metres a second.
  public static let defaultSpeed = 1.4
  /// The largest speed of a track in text form, metres a second.
  public static let fastest = 1_000.0
  /// The most waypoints of a track in text form.
  public static let maxWaypoints = 1_000

  /// The shape of the way.
  public enum Course: Hashable, Sendable {
    /// A course in degrees clockwise from north, and the degrees that it turns by in a second,
    /// right positive.
    case heading(from: Coordinates, course: Double, turn: Double)
    /// Straight from each to the next, and from the last to the first again.
    case waypoints([Coordinates])
  }

  /// Where it begins and how it goes on; waypoints need at least one.
  public var way: Course
  /// Metres a second, 0 to 1000.
  public var speed: Double
  /// Epochs a second, 1 to 10.
  public var hertz: Int

  /// Checks nothing: the text form does, in `GPSSource`.
  public init(_ way: Course, speed: Double = defaultSpeed, hertz: Int = 1) {
    self.way = way
    self.speed = speed
    self.hertz = hertz
  }
}

/// Where the board's GPS receiver gets its bytes from.
public enum GPSSource: Hashable, Sendable {
  /// No receiver.
  case none
  /// A recording of a receiver's bytes, at the pace of the UTC times in it.
  case file(path: String, loop: Bool)
  /// A good fix at one place (1e-7 degree, north and east positive), each second.
  case stationary(latitude: Int32, longitude: Int32)
  /// A good fix that moves.
  case track(GPSTrack)
  /// Bytes of another program as they come: a FIFO, a device, a file that grows, or `-` for
  /// standard input.
  case pipe(path: String)
  /// A receiver's trouble at one place, once or in a loop.
  case story(GPSScript, at: Coordinates, loop: Bool)
}

extension Coordinates {
  /// The Royal Observatory, Greenwich: the default place.
  public static let observatory = Coordinates(latitude: 514_778_000, longitude: -15_000)!

  /// A place in degrees; nil if it is not on the globe.
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
