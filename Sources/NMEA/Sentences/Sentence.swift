/// What one sentence says (NMEA 0183 and IEC 61162-1), whoever its talker is.
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
  /// - Throws: `FieldError` for one of the types above with a field that cannot be.
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
