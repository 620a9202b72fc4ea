public import NMEA

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
