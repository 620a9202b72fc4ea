/// What one sentence says.
enum Sentence {
  case gga(GGA)
  case rmc(RMC)
  /// A sentence that says nothing about the position, or in the maker's own format (`$P…`).
  case other

  /// - Parameter sentence: the characters between `$` and `*`.
  init(_ sentence: Span<UInt8>) throws(FieldError) {
    var fields = FieldCursor()
    let address = fields.next(in: sentence)
    guard address.count == 5, sentence[0] != UInt8(ascii: "P") else {
      self = .other
      return
    }
    switch (sentence[2], sentence[3], sentence[4]) {
    case (UInt8(ascii: "G"), UInt8(ascii: "G"), UInt8(ascii: "A")):
      let talker = UInt16(sentence[0]) << 8 | UInt16(sentence[1])
      self = .gga(try GGA(talker: talker, fields, in: sentence))
    case (UInt8(ascii: "R"), UInt8(ascii: "M"), UInt8(ascii: "C")):
      self = .rmc(try RMC(fields, in: sentence))
    default:
      self = .other
    }
  }
}
