/// The content of one sentence (NMEA 0183 and IEC 61162-1), of any talker.
///
/// ```swift
/// var reader = SentenceReader()
/// for byte in bytes where reader.receive(byte) {
///   if case .gga(let gga) = try reader.sentence() { use(gga.fix?.coordinates) }
/// }
/// ```
public enum Sentence: Sendable, Equatable {
  case gga(GGA)
  case rmc(RMC)
  case gns(GNS)
  case gsa(GSA)
  case gsv(GSV)
  case gll(GLL)
  case vtg(VTG)
  case zda(ZDA)
  /// A sentence of another type, or in the maker's own format (`$P…`).
  case other

  /// - Parameter sentence: the characters between `$` and `*`.
  /// - Throws: `FieldError` for one of the types above with a field that is missing, malformed or
  ///   out of range.
  public init(_ sentence: Span<UInt8>) throws(FieldError) {
    guard let address = SentenceAddress(sentence) else {
      self = .other
      return
    }
    let (talker, fields) = (address.talker, address.fields)
    switch address.type {
    case .gga: self = .gga(try GGA(talker: talker, fields, in: sentence))
    case .rmc: self = .rmc(try RMC(talker: talker, fields, in: sentence))
    case .gns: self = .gns(try GNS(talker: talker, fields, in: sentence))
    case .gsa: self = .gsa(try GSA(talker: talker, fields, in: sentence))
    case .gsv: self = .gsv(try GSV(talker: talker, fields, in: sentence))
    case .gll: self = .gll(try GLL(talker: talker, fields, in: sentence))
    case .vtg: self = .vtg(try VTG(talker: talker, fields, in: sentence))
    case .zda: self = .zda(try ZDA(talker: talker, fields, in: sentence))
    }
  }
}

/// The first field of a sentence: its talker, and the type that says which fields follow.
struct SentenceAddress {
  let talker: Talker
  let type: SentenceType
  /// Stands behind the address field.
  let fields: FieldCursor

  /// Nil for a type that is not read here and for a maker's own format (`$P…`).
  init?(_ sentence: Span<UInt8>) {
    guard sentence.count >= 5, sentence[0] != UInt8(ascii: "P"),
      Self.isTalkers(sentence[0]), Self.isTalkers(sentence[1]),
      sentence.count == 5 || sentence[5] == UInt8(ascii: ","),
      let type = SentenceType(sentence[2], sentence[3], sentence[4])
    else { return nil }
    self.type = type
    talker = Talker(sentence[0], sentence[1])
    fields = FieldCursor(start: 6)
  }

  private static func isTalkers(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: false
    }
  }
}

/// The raw value is the three letters, the first in the high byte.
enum SentenceType: UInt32 {
  case gga = 0x47_4741
  case rmc = 0x52_4D43
  case gns = 0x47_4E53
  case gsa = 0x47_5341
  case gsv = 0x47_5356
  case gll = 0x47_4C4C
  case vtg = 0x56_5447
  case zda = 0x5A_4441

  init?(_ first: UInt8, _ second: UInt8, _ third: UInt8) {
    self.init(rawValue: UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third))
  }
}
