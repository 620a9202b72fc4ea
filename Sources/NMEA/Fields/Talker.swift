/// Who speaks: the two characters that a sentence begins with (NMEA 0183, talker identifier).
public struct Talker: Hashable, Sendable {
  /// The first character in the high byte.
  public let rawValue: UInt16

  public init(_ first: UInt8, _ second: UInt8) {
    rawValue = UInt16(first) << 8 | UInt16(second)
  }

  public static let gps = Talker(UInt8(ascii: "G"), UInt8(ascii: "P"))
  public static let glonass = Talker(UInt8(ascii: "G"), UInt8(ascii: "L"))
  public static let galileo = Talker(UInt8(ascii: "G"), UInt8(ascii: "A"))
  public static let beidou = Talker(UInt8(ascii: "G"), UInt8(ascii: "B"))
  public static let qzss = Talker(UInt8(ascii: "G"), UInt8(ascii: "Q"))
  public static let navic = Talker(UInt8(ascii: "G"), UInt8(ascii: "I"))
  /// Several satellite systems together.
  public static let combined = Talker(UInt8(ascii: "G"), UInt8(ascii: "N"))

  var first: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
  var second: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
}
