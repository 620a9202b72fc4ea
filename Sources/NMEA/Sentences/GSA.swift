import FobBase

/// GNSS DOP and Active Satellites: the mode of the fix, and the satellites used for it. Numbers are
/// nil where not stated.
public struct GSA: Sendable, Equatable {
  /// Which system, or systems, the sentence speaks for.
  public var talker: Talker
  /// True: the receiver chooses between two and three dimensions itself (`A`). False: it is forced
  /// (`M`).
  public var isAutomatic: Bool
  /// Two or three dimensions, or no fix.
  public var mode: FixMode
  /// The numbers of at most 12 satellites used, without the empty places between them.
  public var satellites: FixedList<12, UInt16>
  /// Dilution of precision of the position in hundredths, at most 65535, as the two below.
  /// Receivers write 0 or 99.99 where they know none.
  public var pdop: UInt16?
  /// Horizontal dilution of precision in hundredths.
  public var hdop: UInt16?
  /// Vertical dilution of precision in hundredths.
  public var vdop: UInt16?
  /// Since NMEA 4.10: 1 GPS, 2 GLONASS, 3 Galileo, 4 BeiDou, 5 QZSS, 6 NavIC.
  public var system: UInt8?

  /// - Parameters:
  ///   - talker: which system, or systems, the sentence speaks for.
  ///   - isAutomatic: whether the receiver chooses between two and three dimensions itself.
  ///   - mode: two or three dimensions, or no fix.
  ///   - satellites: made of `noSatellites`; numbers up to 999 can be written.
  ///   - pdop: dilution of precision of the position in hundredths; nil where not stated.
  ///   - hdop: the same, horizontal.
  ///   - vdop: the same, vertical.
  ///   - system: 1 GPS to 6 NavIC, since NMEA 4.10; nil where not stated.
  public init(
    talker: Talker, isAutomatic: Bool, mode: FixMode, satellites: FixedList<12, UInt16>,
    pdop: UInt16?, hdop: UInt16?, vdop: UInt16?, system: UInt8?
  ) {
    self.talker = talker
    self.isAutomatic = isAutomatic
    self.mode = mode
    self.satellites = satellites
    self.pdop = pdop
    self.hdop = hdop
    self.vdop = vdop
    self.system = system
  }

  /// An empty list, to which the numbers of satellites are appended.
  public static var noSatellites: FixedList<12, UInt16> { FixedList(filler: 0) }

  /// - Parameter start: stands behind the address field.
  init(talker: Talker, _ start: FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    self.talker = talker
    var fields = start
    switch try fields.letter(in: sentence) {
    case UInt8(ascii: "A"): isAutomatic = true
    case UInt8(ascii: "M"): isAutomatic = false
    default: throw .malformed
    }
    let digit = try fields.letter(in: sentence) &- UInt8(ascii: "0")
    guard let mode = FixMode(rawValue: digit) else { throw .malformed }
    self.mode = mode
    satellites = Self.noSatellites
    for _ in 0..<12 {
      guard let number = try fields.number(in: sentence) else { continue }
      guard number <= 999 else { throw .outOfRange }
      satellites.append(UInt16(number))
    }
    pdop = try fields.unsigned(places: 2, in: sentence).map { UInt16(clamping: $0) }
    hdop = try fields.unsigned(places: 2, in: sentence).map { UInt16(clamping: $0) }
    vdop = try fields.unsigned(places: 2, in: sentence).map { UInt16(clamping: $0) }
    system = try fields.hexadecimalDigit(in: sentence)
  }
}

extension FieldCursor {
  /// A system or signal identifier of NMEA 4.10; nil where it is empty.
  mutating func hexadecimalDigit(in sentence: Span<UInt8>) throws(FieldError) -> UInt8? {
    guard let letter = try optionalLetter(in: sentence) else { return nil }
    guard let digit = Hex.value(of: letter) else { throw .malformed }
    return digit
  }
}
