/// How a position was obtained: the quality indicator of GGA, the mode letter of RMC, GNS, GLL,
/// VTG.
public enum FixKind: UInt8, Sendable {
  /// `0`, `N`: there is no fix.
  case invalid = 0
  /// `1`, `A`: satellites alone.
  case autonomous = 1
  /// `2`, `D`: with differential corrections.
  case differential = 2
  /// `3`, `P`: with the precise signal.
  case precise = 3
  /// `4`, `R`: real-time kinematic, ambiguities fixed.
  case fixedRTK = 4
  /// `5`, `F`: real-time kinematic, ambiguities floating.
  case floatRTK = 5
  /// `6`, `E`: dead reckoning.
  case estimated = 6
  /// `7`, `M`: typed in by hand.
  case manual = 7
  /// `8`, `S`: a simulator.
  case simulated = 8
  /// `9`, or a letter of the maker's own, which is written as `U`.
  case other = 9

  /// Whether satellites measured it, so that the dilution of precision means something.
  public var isMeasured: Bool { self >= .autonomous && self <= .floatRTK }

  /// The quality indicator of GGA.
  init(digit: UInt8) throws(FieldError) {
    guard let kind = FixKind(rawValue: digit &- UInt8(ascii: "0")) else { throw .malformed }
    self = kind
  }

  init(letter: UInt8) throws(FieldError) {
    switch letter {
    case UInt8(ascii: "N"): self = .invalid
    case UInt8(ascii: "A"): self = .autonomous
    case UInt8(ascii: "D"): self = .differential
    case UInt8(ascii: "P"): self = .precise
    case UInt8(ascii: "R"): self = .fixedRTK
    case UInt8(ascii: "F"): self = .floatRTK
    case UInt8(ascii: "E"): self = .estimated
    case UInt8(ascii: "M"): self = .manual
    case UInt8(ascii: "S"): self = .simulated
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self = .other
    default: throw .malformed
    }
  }

  /// Reads a mode field; nil where it is empty or, as before NMEA 2.3, left off.
  init?(_ fields: inout FieldCursor, in sentence: Span<UInt8>) throws(FieldError) {
    guard let letter = try fields.optionalLetter(in: sentence) else { return nil }
    self = try FixKind(letter: letter)
  }

  var letter: UInt8 {
    switch self {
    case .invalid: UInt8(ascii: "N")
    case .autonomous: UInt8(ascii: "A")
    case .differential: UInt8(ascii: "D")
    case .precise: UInt8(ascii: "P")
    case .fixedRTK: UInt8(ascii: "R")
    case .floatRTK: UInt8(ascii: "F")
    case .estimated: UInt8(ascii: "E")
    case .manual: UInt8(ascii: "M")
    case .simulated: UInt8(ascii: "S")
    case .other: UInt8(ascii: "U")
    }
  }
}

extension FixKind: Comparable {
  public static func < (a: FixKind, b: FixKind) -> Bool { a.rawValue < b.rawValue }
}

/// How many dimensions of the position are known. The numbers are those of GSA (and of gpsd).
public enum FixMode: UInt8, Sendable, Comparable {
  case noFix = 1
  case twoDimensional = 2
  /// With an altitude.
  case threeDimensional = 3

  public static func < (a: FixMode, b: FixMode) -> Bool { a.rawValue < b.rawValue }
}

/// The talker identifier: the two characters that a sentence begins with (NMEA 0183).
public struct Talker: Hashable, Sendable {
  /// The first character in the high byte.
  public let rawValue: UInt16

  /// Any two characters; only capital letters and digits are read back.
  public init(_ first: UInt8, _ second: UInt8) {
    rawValue = UInt16(first) << 8 | UInt16(second)
  }

  /// GPS: `GP`.
  public static let gps = Talker(UInt8(ascii: "G"), UInt8(ascii: "P"))
  /// GLONASS: `GL`.
  public static let glonass = Talker(UInt8(ascii: "G"), UInt8(ascii: "L"))
  /// Galileo: `GA`.
  public static let galileo = Talker(UInt8(ascii: "G"), UInt8(ascii: "A"))
  /// BeiDou: `GB`.
  public static let beidou = Talker(UInt8(ascii: "G"), UInt8(ascii: "B"))
  /// QZSS: `GQ`.
  public static let qzss = Talker(UInt8(ascii: "G"), UInt8(ascii: "Q"))
  /// NavIC: `GI`.
  public static let navic = Talker(UInt8(ascii: "G"), UInt8(ascii: "I"))
  /// Several satellite systems together: `GN`.
  public static let combined = Talker(UInt8(ascii: "G"), UInt8(ascii: "N"))

  var first: UInt8 { UInt8(truncatingIfNeeded: rawValue >> 8) }
  var second: UInt8 { UInt8(truncatingIfNeeded: rawValue) }
}
