/// The fields of a sentence that a fix is made of, whatever the type of the sentence, read by the
/// rules of `Sentence`. Other fields are read only so far that a sentence with a malformed one is
/// refused. The device has no room for a reader of each type with all its fields.
struct Report: Equatable {
  enum Source {
    /// GGA and GNS: a place, and how well it is known.
    case measurement
    /// RMC, which brings the date, and GLL.
    case dated, position
    /// GSA, ZDA.
    case satellites, date
    case other
  }

  var source = Source.other
  var talker = Talker(0, 0)
  /// False when the receiver says that it has no fix: then nothing below was read.
  var hasFix = true
  var latitude: Int32 = 0
  var longitude: Int32 = 0
  var time: UInt32?
  var day: UInt32?
  var altitude: Int32?
  var kind: FixKind?
  var hdop: UInt16?
  var satellites: UInt8 = 0
  var mode = FixMode.noFix

  /// - Parameter sentence: the characters between `$` and `*`.
  mutating func read(_ sentence: Span<UInt8>) throws(FieldError) {
    guard let address = SentenceAddress(sentence) else { return }
    var fields = address.fields
    talker = address.talker
    switch address.type {
    case .gga, .gns:
      source = .measurement
      try readMeasurement(&fields, isGGA: address.type == .gga, in: sentence)
    case .rmc:
      source = .dated
      try readRMC(&fields, in: sentence)
    case .gll:
      source = .position
      try readGLL(&fields, in: sentence)
    case .gsa:
      source = .satellites
      try readGSA(&fields, in: sentence)
    case .zda:
      source = .date
      let zda = try ZDA(talker: talker, fields, in: sentence)
      (time, day) = (zda.time, zda.day)
    case .gsv, .vtg: break
    }
  }

  /// For a measurement: whether satellites measured it.
  var isMeasured: Bool { hasFix && (kind?.isMeasured ?? false) }

  /// For a measurement; `none` when it has no fix.
  var quality: GPSQuality {
    hasFix ? GPSQuality(isMeasured: isMeasured, hdop: hdop, satellites: satellites) : .none
  }

  /// For a measurement: in decimetres.
  var accuracy: UInt16 {
    isMeasured ? GPSFix.accuracy(hdop: hdop) : GPSFix.unknownAccuracy
  }

  /// The kind of fix stands behind the coordinates and is read first: without a fix they mean
  /// nothing.
  private mutating func readMeasurement(
    _ fields: inout FieldCursor, isGGA: Bool, in sentence: Span<UInt8>
  ) throws(FieldError) {
    var ahead = fields
    ahead.skip(5, in: sentence)
    let known =
      isGGA
      ? try FixKind(digit: ahead.letter(in: sentence)) : try Self.firstKind(&ahead, in: sentence)
    kind = known
    hasFix = known != .invalid
    guard hasFix else { return }
    time = try UTC.time(&fields, in: sentence)
    try readCoordinates(&fields, in: sentence)
    satellites = UInt8(clamping: try ahead.number(in: sentence) ?? 0)
    hdop = try ahead.hundredths(in: sentence)
    altitude = try ahead.signed(places: 2, in: sentence)
    if isGGA { ahead.skip(1, in: sentence) }
    _ = try ahead.signed(places: 2, in: sentence)
  }

  /// The kind of the first system that has a fix, of at most six.
  private static func firstKind(
    _ fields: inout FieldCursor, in sentence: Span<UInt8>
  ) throws(FieldError) -> FixKind {
    let field = fields.next(in: sentence)
    guard !field.isEmpty else { throw .missing }
    guard field.count <= 6 else { throw .malformed }
    var first = FixKind.invalid
    for at in field {
      let kind = try FixKind(letter: sentence[at])
      if first == .invalid { first = kind }
    }
    return first
  }

  private mutating func readRMC(
    _ fields: inout FieldCursor, in sentence: Span<UInt8>
  ) throws(FieldError) {
    var ahead = fields
    ahead.skip(1, in: sentence)
    try readStatus(&ahead, in: sentence)
    guard hasFix else { return }
    time = try UTC.time(&fields, in: sentence)
    try readCoordinates(&ahead, in: sentence)
    _ = try ahead.unsigned(places: 3, in: sentence)
    _ = try ahead.course(in: sentence)
    day = try UTC.date(&ahead, in: sentence)
    let variation = try ahead.unsigned(places: 2, in: sentence)
    let side = try ahead.optionalLetter(in: sentence)
    if variation != nil, let side, side != UInt8(ascii: "E"), side != UInt8(ascii: "W") {
      throw .malformed
    }
    try readMode(&ahead, in: sentence)
  }

  private mutating func readGLL(
    _ fields: inout FieldCursor, in sentence: Span<UInt8>
  ) throws(FieldError) {
    var ahead = fields
    ahead.skip(5, in: sentence)
    try readStatus(&ahead, in: sentence)
    guard hasFix else { return }
    try readCoordinates(&fields, in: sentence)
    time = try UTC.time(&fields, in: sentence)
    try readMode(&ahead, in: sentence)
  }

  private mutating func readGSA(
    _ fields: inout FieldCursor, in sentence: Span<UInt8>
  ) throws(FieldError) {
    let choice = try fields.letter(in: sentence)
    guard choice == UInt8(ascii: "A") || choice == UInt8(ascii: "M") else { throw .malformed }
    let digit = try fields.letter(in: sentence) &- UInt8(ascii: "0")
    guard let mode = FixMode(rawValue: digit) else { throw .malformed }
    self.mode = mode
    for _ in 0..<12 {
      guard let number = try fields.number(in: sentence) else { continue }
      guard number <= 999 else { throw .outOfRange }
      satellites &+= 1
    }
    _ = try fields.hundredths(in: sentence)
    hdop = try fields.hundredths(in: sentence)
    _ = try fields.hundredths(in: sentence)
    _ = try fields.hexadecimalDigit(in: sentence)
  }

  @inline(never)
  private mutating func readCoordinates(
    _ fields: inout FieldCursor, in sentence: Span<UInt8>
  ) throws(FieldError) {
    let coordinates = try Coordinates(&fields, in: sentence)
    latitude = coordinates.latitude
    longitude = coordinates.longitude
  }

  @inline(never)
  private mutating func readStatus(
    _ fields: inout FieldCursor, in sentence: Span<UInt8>
  ) throws(FieldError) {
    switch try fields.letter(in: sentence) {
    case UInt8(ascii: "A"): break
    case UInt8(ascii: "V"): hasFix = false
    default: throw .malformed
    }
  }

  @inline(never)
  private mutating func readMode(
    _ fields: inout FieldCursor, in sentence: Span<UInt8>
  ) throws(FieldError) {
    kind = try FixKind(&fields, in: sentence)
    if kind == .invalid { hasFix = false }
  }
}

extension FieldCursor {
  @inline(never)
  fileprivate mutating func hundredths(in sentence: Span<UInt8>) throws(FieldError) -> UInt16? {
    try unsigned(places: 2, in: sentence).map { UInt16(clamping: $0) }
  }
}
