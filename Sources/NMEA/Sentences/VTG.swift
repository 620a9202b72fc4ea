/// Course Over Ground and Ground Speed. Each number is nil where not stated.
public struct VTG: Sendable, Equatable {
  /// Which system, or systems, the sentence speaks for.
  public var talker: Talker
  /// In hundredths of a degree from true north, clockwise, 0 to 36000.
  public var course: UInt32?
  /// In hundredths of a degree from magnetic north, clockwise, 0 to 36000.
  public var magneticCourse: UInt32?
  /// In thousandths of a knot.
  public var speed: UInt32?
  /// In metres an hour (the sentence says kilometres).
  public var metresPerHour: UInt32?
  /// Nil where not stated, as before NMEA 2.3.
  public var kind: FixKind?

  /// Nothing is checked: `SentenceWriter` takes the nearest values that it can write.
  public init(
    talker: Talker, course: UInt32?, magneticCourse: UInt32?, speed: UInt32?,
    metresPerHour: UInt32?, kind: FixKind?
  ) {
    self.talker = talker
    self.course = course
    self.magneticCourse = magneticCourse
    self.speed = speed
    self.metresPerHour = metresPerHour
    self.kind = kind
  }

  /// - Parameter start: stands behind the address field.
  init(talker: Talker, _ start: FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    self.talker = talker
    var fields = start
    course = try fields.course(in: sentence)
    try fields.unit(UInt8(ascii: "T"), in: sentence)
    magneticCourse = try fields.course(in: sentence)
    try fields.unit(UInt8(ascii: "M"), in: sentence)
    speed = try fields.unsigned(places: 3, in: sentence)
    try fields.unit(UInt8(ascii: "N"), in: sentence)
    metresPerHour = try fields.unsigned(places: 3, in: sentence)
    try fields.unit(UInt8(ascii: "K"), in: sentence)
    kind = try FixKind(&fields, in: sentence)
  }
}

extension FieldCursor {
  /// Passes over the letter of a unit, which may be empty like the number before it.
  fileprivate mutating func unit(
    _ expected: UInt8, in sentence: Span<UInt8>
  ) throws(FieldError) {
    guard let letter = try optionalLetter(in: sentence) else { return }
    guard letter == expected else { throw .malformed }
  }
}

/// Time and Date, with the local time zone.
public struct ZDA: Sendable, Equatable {
  /// Which system, or systems, the sentence speaks for.
  public var talker: Talker
  /// In milliseconds of the UTC day; nil where not stated.
  public var time: UInt32?
  /// In days since 1970-01-01, 2000 to 2099; nil where not stated, and for the years 1980 to 1999,
  /// which receivers state that know no date. A receiver without a fix may state any date here.
  public var day: UInt32?
  /// Minutes to be added to UTC for local time, -839 to 839; nil where not stated.
  public var zone: Int16?

  /// Nothing is checked: a day outside of 2000 to 2099 is written as empty fields.
  public init(talker: Talker, time: UInt32?, day: UInt32?, zone: Int16?) {
    self.talker = talker
    self.time = time
    self.day = day
    self.zone = zone
  }

  /// - Parameter start: stands behind the address field.
  init(talker: Talker, _ start: FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    self.talker = talker
    var fields = start
    time = try UTC.time(&fields, in: sentence)
    day = try UTC.dateFields(&fields, in: sentence)
    let signAt = fields.start
    let hours = try fields.signed(places: 0, in: sentence)
    let minutes = try fields.signed(places: 0, in: sentence)
    guard let hours, let minutes else {
      zone = nil
      return
    }
    guard (-13...13).contains(hours), (-59...59).contains(minutes) else { throw .outOfRange }
    // The standard gives the minutes the sign of the hours; most receivers write them without.
    let isWest = sentence[signAt] == UInt8(ascii: "-")
    let magnitude = Int16(hours.magnitude * 60 + minutes.magnitude)
    zone = isWest || minutes < 0 ? -magnitude : magnitude
  }
}
