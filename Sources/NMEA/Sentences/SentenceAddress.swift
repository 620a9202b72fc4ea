/// The first field of a sentence: who speaks, and which fields follow.
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
