import Glibc
import NMEA

/// The motion along a track, step by step, on a globe that counts as flat between two epochs.
struct TrackMotion: Sendable {
  /// Metres in a degree of latitude on a sphere of the Earth's mean radius (6,371,009 m).
  private static let degree = 111_195.08
  /// The greatest latitude: a track stops short of the poles, where courses have no meaning.
  private static let northernmost = 89.9

  let track: GPSTrack
  private var latitude: Double
  private var longitude: Double
  /// Degrees clockwise from north, 0 to 360.
  private(set) var course: Double
  private var next = 0

  init(_ track: GPSTrack) {
    self.track = track
    switch track.way {
    case .heading(let from, let course, _):
      (latitude, longitude) = from.degrees
      self.course = course
    case .waypoints(let places):
      (latitude, longitude) = places[0].degrees
      course = 0
      next = places.count > 1 ? 1 : 0
      course = bearing(to: places[next])
    }
  }

  /// Metres a second.
  var speed: Double { track.speed }

  var place: Coordinates { Coordinates(degrees: latitude, longitude) ?? .observatory }

  /// Moves on for so many seconds.
  mutating func advance(by seconds: Double) {
    guard speed > 0 else { return }
    switch track.way {
    case .heading(_, _, let turn):
      // The chord's course is that of the arc's middle.
      let middle = course + turn * seconds / 2
      step(speed * seconds, towards: middle)
      course = Self.turned(course + turn * seconds)
    case .waypoints(let places): follow(places, for: speed * seconds)
    }
  }

  private mutating func follow(_ places: [Coordinates], for metres: Double) {
    var left = metres
    // Bounded, since waypoints on one spot would be passed for ever.
    for _ in 0...places.count {
      let distance = distance(to: places[next])
      course = distance > 0 ? bearing(to: places[next]) : course
      guard distance <= left else { return step(left, towards: course) }
      left -= distance
      (latitude, longitude) = places[next].degrees
      next = (next + 1) % places.count
    }
  }

  private mutating func step(_ metres: Double, towards course: Double) {
    let angle = course * .pi / 180
    latitude += metres * cos(angle) / Self.degree
    latitude = min(Self.northernmost, max(-Self.northernmost, latitude))
    longitude = Self.wrapped(longitude + metres * sin(angle) / (Self.degree * shrinking))
  }

  /// The length of a degree of longitude here, as a share of that at the equator.
  private var shrinking: Double { cos(latitude * .pi / 180) }

  private func distance(to place: Coordinates) -> Double {
    let (north, east) = metres(to: place)
    return hypot(north, east)
  }

  private func bearing(to place: Coordinates) -> Double {
    let (north, east) = metres(to: place)
    return Self.turned(atan2(east, north) * 180 / .pi)
  }

  private func metres(to place: Coordinates) -> (north: Double, east: Double) {
    let east = Self.wrapped(place.degrees.longitude - longitude)
    return ((place.degrees.latitude - latitude) * Self.degree, east * Self.degree * shrinking)
  }

  private static func wrapped(_ longitude: Double) -> Double {
    longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude
  }

  private static func turned(_ course: Double) -> Double {
    let rest = course.truncatingRemainder(dividingBy: 360)
    return rest < 0 ? rest + 360 : rest
  }
}
