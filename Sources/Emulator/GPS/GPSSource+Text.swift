public import NMEA

/// The text of a source: `FILE`, `none`, `at:LAT,LON`, `track:…`, `pipe:PATH` or `story:NAME`.
extension GPSSource {
  static let words = """
    an NMEA file, none, at:LAT,LON, track:LAT,LON[,SPEED[,COURSE[,TURN]]], \
    track:LAT,LON;LAT,LON[,SPEED], pipe:PATH or story:NAME
    """

  /// Reads the text of a source; a file is not opened yet.
  /// - Parameters:
  ///   - text: as a command line has it, such as `at:LAT,LON` or `pipe:PATH`.
  ///   - loop: whether a file or a story begins again at its end.
  ///   - home: the place of a story that names none.
  /// - Throws: `CommandRefusal` with the wrong part and the right form.
  public init(
    _ text: String, loop: Bool = false, home: Coordinates = .observatory
  ) throws(CommandRefusal) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count == 2 ? parts[1] : ""
    switch parts[0] {
    case "none" where parts.count == 1: self = .none
    case "at" where parts.count == 2:
      let place = try Self.place(Self.numbers(rest, in: text), in: text)
      self = .stationary(latitude: place.latitude, longitude: place.longitude)
    case "track" where parts.count == 2: self = .track(try Self.track(rest, in: text))
    case "pipe" where parts.count == 2 && !rest.isEmpty: self = .pipe(path: String(rest))
    case "story" where parts.count == 2: self = try Self.story(rest, loop: loop, home, in: text)
    case "file" where parts.count == 2 && !rest.isEmpty:
      self = .file(path: String(rest), loop: loop)
    case "", "pipe", "file": throw Self.refusal(text, "it must be \(Self.words)")
    default: self = .file(path: text, loop: loop)
    }
    switch self {
    case .file, .story: break
    case .none, .stationary, .track, .pipe:
      guard !loop else { throw Self.refusal(text, "only a file or a story begins again") }
    }
  }

  /// Whether it has a clock of its own, which may be moved.
  var isStory: Bool { if case .story = self { true } else { false } }

  /// The text that `init` reads as the same source, except for `loop`.
  public var text: String {
    switch self {
    case .none: "none"
    case .file(let path, _): "file:\(path)"
    case .stationary(let latitude, let longitude):
      "at:\(Double(latitude) / 1e7),\(Double(longitude) / 1e7)"
    case .track(let track): "track:\(track.text)"
    case .pipe(let path): "pipe:\(path)"
    case .story(let story, let place, _): "story:\(story.rawValue),\(place.text)"
    }
  }

  private static func refusal(_ text: String, _ reason: String) -> CommandRefusal {
    CommandRefusal("the GPS source \"\(text)\" cannot be: \(reason)")
  }

  private static func numbers(
    _ list: Substring, in text: String
  ) throws(CommandRefusal) -> [Double] {
    var numbers: [Double] = []
    for field in list.split(separator: ",", omittingEmptySubsequences: false) {
      guard let number = Double(field), number.isFinite else {
        throw refusal(text, "\"\(field)\" is not a number")
      }
      numbers.append(number)
    }
    return numbers
  }

  private static func place(
    _ numbers: [Double], in text: String
  ) throws(CommandRefusal) -> Coordinates {
    guard numbers.count == 2 else {
      throw refusal(text, "a place is LATITUDE,LONGITUDE in degrees, as in 51.4778,-0.0015")
    }
    guard let place = Coordinates(degrees: numbers[0], numbers[1]) else {
      throw refusal(text, "\(numbers[0]),\(numbers[1]) is not on the globe")
    }
    return place
  }

  private static func story(
    _ rest: Substring, loop: Bool, _ home: Coordinates, in text: String
  ) throws(CommandRefusal) -> GPSSource {
    let parts = rest.split(separator: ",", maxSplits: 1, omittingEmptySubsequences: false)
    guard let name = parts.first, let story = GPSScript(rawValue: String(name)) else {
      let names = GPSScript.allCases.map(\.rawValue).joined(separator: ", ")
      throw refusal(text, "a story is one of \(names)")
    }
    let at = parts.count == 2 ? try place(numbers(parts[1], in: text), in: text) : home
    return .story(story, at: at, loop: loop)
  }

  private static func track(
    _ rest: Substring, in text: String
  ) throws(CommandRefusal) -> GPSTrack {
    let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var points: [[Double]] = []
    for point in parts[0].split(separator: ";", omittingEmptySubsequences: false) {
      points.append(try numbers(point, in: text))
    }
    var track: GPSTrack
    if points.count == 1 {
      track = try heading(points[0], in: text)
    } else {
      track = try waypoints(points, in: text)
    }
    guard (0...GPSTrack.fastest).contains(track.speed) else {
      throw refusal(text, "a speed is 0 to 1000 metres a second")
    }
    if parts.count == 2 {
      guard parts[1].hasPrefix("hz="), let hertz = Int(parts[1].dropFirst(3)),
        (1...10).contains(hertz)
      else { throw refusal(text, "behind ? stands hz=1 to hz=10") }
      track.hertz = hertz
    }
    return track
  }

  private static func heading(
    _ numbers: [Double], in text: String
  ) throws(CommandRefusal) -> GPSTrack {
    guard (2...5).contains(numbers.count) else {
      throw refusal(text, "a track is LAT,LON[,SPEED[,COURSE[,TURN]]]")
    }
    let start = try place(Array(numbers[..<2]), in: text)
    let (course, turn) = (numbers.count > 3 ? numbers[3] : 0, numbers.count > 4 ? numbers[4] : 0)
    guard (0...360).contains(course) else {
      throw refusal(text, "a course is 0 to 360 degrees")
    }
    guard (-90...90).contains(turn) else {
      throw refusal(text, "a turn is at most 90 degrees a second, left of 0 or right")
    }
    return GPSTrack(
      .heading(from: start, course: course, turn: turn),
      speed: numbers.count > 2 ? numbers[2] : GPSTrack.defaultSpeed)
  }

  private static func waypoints(
    _ points: [[Double]], in text: String
  ) throws(CommandRefusal) -> GPSTrack {
    guard points.count <= GPSTrack.maxWaypoints else {
      throw refusal(text, "it has more than \(GPSTrack.maxWaypoints) waypoints")
    }
    var places: [Coordinates] = []
    var speed = GPSTrack.defaultSpeed
    for (index, point) in points.enumerated() {
      let isLast = index == points.count - 1
      if isLast && point.count == 3 { speed = point[2] }
      places.append(try place(isLast && point.count == 3 ? Array(point[..<2]) : point, in: text))
    }
    return GPSTrack(.waypoints(places), speed: speed)
  }
}

extension GPSTrack {
  /// The text behind `track:`.
  var text: String {
    let rate = hertz == 1 ? "" : "?hz=\(hertz)"
    switch way {
    case .heading(let from, let course, let turn):
      return "\(from.text),\(speed),\(course),\(turn)\(rate)"
    case .waypoints(let places):
      return "\(places.map(\.text).joined(separator: ";")),\(speed)\(rate)"
    }
  }
}
