/// Writes sentences, one at a time, into its own 126 bytes: `$`, fields, `*`, checksum, CR, LF.
///
/// ``SentenceReader`` and ``Sentence`` read the same values back from what it writes, within these
/// bounds: numbers of nine digits, decimals included; identifiers of three digits; days of 2000 to
/// 2079 (ZDA: 2099); a GSV whose number is within its messages. Other numbers become the nearest
/// that can be written, other days an empty field. A sentence may be longer than the 82 characters
/// of the standard, because a position has seven decimals of a minute.
///
/// ```swift
/// var writer = SentenceWriter()
/// writer.write(.gga(GGA(point, talker: .gps)))
/// writer.withBytes { bytes in … }
/// ```
public struct SentenceWriter: Sendable {
  private var characters = SentenceCharacters()

  /// No sentence was written: `withBytes` gives no bytes.
  public init() {}

  /// The bytes of the last sentence: none before the first, and after `.other`.
  public func withBytes<R, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
    try characters.withBytes(body)
  }

  /// Puts `sentence` in the place of the last one. For `.other` nothing is written.
  public mutating func write(_ sentence: Sentence) {
    switch sentence {
    case .gga(let gga): write(gga)
    case .rmc(let rmc): write(rmc)
    case .gns(let gns): write(gns)
    case .gsa(let gsa): write(gsa)
    case .gsv(let gsv): write(gsv)
    case .gll(let gll): write(gll)
    case .vtg(let vtg): write(vtg)
    case .zda(let zda): write(zda)
    case .other: characters = SentenceCharacters()
    }
  }
}

extension SentenceWriter {
  private mutating func write(_ gga: GGA) {
    characters.begin(gga.talker, .gga)
    let fix = gga.fix
    position(time: fix?.time, fix?.coordinates)
    characters.field(UInt8(ascii: "0") + (fix?.kind ?? .invalid).rawValue)
    characters.field(fix?.satellites.map(UInt32.init), width: 2)
    characters.field(fix?.hdop.map(UInt32.init), places: 2)
    characters.field(fix?.altitude, places: 2)
    characters.field(UInt8(ascii: "M"))
    characters.field(fix?.geoidSeparation, places: 2)
    characters.field(UInt8(ascii: "M"))
    corrections()
    characters.end()
  }

  private mutating func write(_ gns: GNS) {
    characters.begin(gns.talker, .gns)
    let fix = gns.fix
    position(time: fix?.time, fix?.coordinates)
    if let fix {
      characters.empty()
      for index in 0..<fix.kinds.count { characters.append(fix.kinds[index].letter) }
    } else {
      characters.field(FixKind.invalid.letter)
    }
    characters.field(fix?.satellites.map(UInt32.init), width: 2)
    characters.field(fix?.hdop.map(UInt32.init), places: 2)
    characters.field(fix?.altitude, places: 2)
    characters.field(fix?.geoidSeparation, places: 2)
    corrections()
    characters.end()
  }

  private mutating func write(_ rmc: RMC) {
    characters.begin(rmc.talker, .rmc)
    let fix = rmc.fix
    characters.time(fix?.time)
    status(isValid: fix != nil)
    place(fix?.coordinates)
    characters.field(fix?.speed, places: 3)
    characters.course(fix?.course)
    characters.date(fix?.day)
    let variation = fix?.magneticVariation
    characters.field(variation?.magnitude, places: 2)
    characters.field(variation.map { $0 < 0 ? UInt8(ascii: "W") : UInt8(ascii: "E") })
    characters.field(fix == nil ? FixKind.invalid.letter : fix?.kind?.letter)
    characters.end()
  }

  private mutating func write(_ gll: GLL) {
    characters.begin(gll.talker, .gll)
    place(gll.fix?.coordinates)
    characters.time(gll.fix?.time)
    status(isValid: gll.fix != nil)
    characters.field(gll.fix == nil ? FixKind.invalid.letter : gll.fix?.kind?.letter)
    characters.end()
  }

  private mutating func write(_ gsa: GSA) {
    characters.begin(gsa.talker, .gsa)
    characters.field(gsa.isAutomatic ? UInt8(ascii: "A") : UInt8(ascii: "M"))
    characters.field(UInt8(ascii: "0") + gsa.mode.rawValue)
    for place in 0..<12 {
      let id = place < gsa.satellites.count ? UInt32(min(gsa.satellites[place], 999)) : nil
      characters.field(id, width: 2)
    }
    characters.field(gsa.pdop.map(UInt32.init), places: 2)
    characters.field(gsa.hdop.map(UInt32.init), places: 2)
    characters.field(gsa.vdop.map(UInt32.init), places: 2)
    if let system = gsa.system { characters.identifier(system) }
    characters.end()
  }

  private mutating func write(_ gsv: GSV) {
    characters.begin(gsv.talker, .gsv)
    characters.field(UInt32(gsv.messages), width: 1)
    characters.field(UInt32(gsv.number), width: 1)
    characters.field(UInt32(gsv.inView), width: 2)
    for index in 0..<gsv.satellites.count { characters.satellite(gsv.satellites[index]) }
    for _ in gsv.satellites.count..<max(gsv.satellites.count, gsv.places) {
      for _ in 0..<4 { characters.empty() }
    }
    if let signal = gsv.signal { characters.identifier(signal) }
    characters.end()
  }

  private mutating func write(_ vtg: VTG) {
    characters.begin(vtg.talker, .vtg)
    characters.course(vtg.course)
    characters.field(UInt8(ascii: "T"))
    characters.course(vtg.magneticCourse)
    characters.field(UInt8(ascii: "M"))
    characters.field(vtg.speed, places: 3)
    characters.field(UInt8(ascii: "N"))
    characters.field(vtg.metresPerHour, places: 3)
    characters.field(UInt8(ascii: "K"))
    characters.field(vtg.kind?.letter)
    characters.end()
  }

  private mutating func write(_ zda: ZDA) {
    characters.begin(zda.talker, .zda)
    characters.time(zda.time)
    characters.dateFields(zda.day)
    if let zone = zda.zone {
      let minutes = UInt32(min(zone.magnitude, 839))
      characters.empty()
      if zone < 0 { characters.append(UInt8(ascii: "-")) }
      characters.digits(minutes / 60, width: 2)
      characters.field(minutes % 60, width: 2)
    } else {
      characters.empty()
      characters.empty()
    }
    characters.end()
  }

  private mutating func position(time: UInt32?, _ coordinates: Coordinates?) {
    characters.time(time)
    place(coordinates)
  }

  private mutating func place(_ coordinates: Coordinates?) {
    if let coordinates { return characters.coordinates(coordinates) }
    for _ in 0..<4 { characters.empty() }
  }

  private mutating func status(isValid: Bool) {
    characters.field(isValid ? UInt8(ascii: "A") : UInt8(ascii: "V"))
  }

  /// Age and station of differential corrections, left empty.
  private mutating func corrections() {
    characters.empty()
    characters.empty()
  }
}
