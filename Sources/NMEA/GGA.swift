/// Global Positioning System Fix Data: position, quality and how well the satellites stand.
struct GGA {
  let talker: UInt16
  /// Nil when the receiver says that it has no fix; the other fields are not read then.
  let fix: Fix?

  struct Fix {
    let quality: GPSQuality
    let secondOfDay: UInt32?
    let coordinates: Coordinates
    let altitude: Int32
    let accuracy: UInt16
    let satellites: UInt8
  }

  /// - Parameter fields: stands behind the address field.
  init(talker: UInt16, _ fields: FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    self.talker = talker
    // What the receiver means by its coordinates stands behind them.
    var ahead = fields
    ahead.skip(5, in: sentence)
    let indicator = try ahead.letter(in: sentence) &- UInt8(ascii: "0")
    guard indicator <= 9 else { throw .malformed }
    fix = indicator == 0 ? nil : try Fix(isMeasured: indicator <= 5, fields, in: sentence)
  }

  var quality: GPSQuality { fix?.quality ?? .none }
  var satellites: UInt8 { fix?.satellites ?? 0 }
}

extension GGA.Fix {
  /// - Parameter isMeasured: quality indicator 1 to 5. 6 is dead reckoning, 7 typed in by hand,
  ///   8 a simulator: there, the dilution of precision says nothing.
  fileprivate init(
    isMeasured: Bool, _ start: FieldCursor, in sentence: Span<UInt8>
  ) throws(FieldError) {
    var fields = start
    secondOfDay = try UTC.secondOfDay(fields.next(in: sentence), in: sentence)
    coordinates = try Coordinates(&fields, in: sentence)
    fields.skip(1, in: sentence)
    let used = fields.next(in: sentence)
    let count = used.isEmpty ? 0 : try sentence.number(used)
    satellites = UInt8(min(count, 255))
    let dilution = fields.next(in: sentence)
    let hdop = dilution.isEmpty ? nil : try sentence.hundredths(dilution)
    let height = fields.next(in: sentence)
    altitude = height.isEmpty ? 0 : try sentence.hundredths(height)
    // Receivers write 0 or 99.99 where they know no dilution.
    guard isMeasured, let hdop, hdop > 0, hdop < 99_00 else {
      quality = .weak
      accuracy = GPSFix.unknownAccuracy
      return
    }
    quality = hdop <= GPSQuality.greatestGoodHDOP && satellites >= 4 ? .good : .weak
    accuracy = UInt16(hdop * GPSFix.rangeError / 100)
  }
}
