/// What the receiver of a fix listens to. The device carries no reader of the other sentences.
enum Report {
  case measured(Measurement)
  case rmc(RMC)
  case gll(GLL)
  case gsa(GSA)
  case zda(ZDA)
  case other

  /// - Parameter sentence: the characters between `$` and `*`.
  init(_ sentence: Span<UInt8>) throws(FieldError) {
    guard let address = SentenceAddress(sentence) else {
      self = .other
      return
    }
    let (talker, fields) = (address.talker, address.fields)
    switch address.type {
    case .gga: self = .measured(Measurement(try GGA(talker: talker, fields, in: sentence)))
    case .gns: self = .measured(Measurement(try GNS(talker: talker, fields, in: sentence)))
    case .rmc: self = .rmc(try RMC(talker: talker, fields, in: sentence))
    case .gll: self = .gll(try GLL(talker: talker, fields, in: sentence))
    case .gsa: self = .gsa(try GSA(talker: talker, fields, in: sentence))
    case .zda: self = .zda(try ZDA(talker: talker, fields, in: sentence))
    case .gsv, .vtg: self = .other
    }
  }
}
