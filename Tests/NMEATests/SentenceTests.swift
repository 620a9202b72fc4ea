import NMEA
import Testing

/// What each type of sentence says, in units.
struct SentenceTests {
  @Test func `a GGA is read in full`() throws {
    let body = "GNGGA,171926.25,4404.14063,N,12118.85478,W,2,12,0.91,1147.2,M,-21.3,M,,"
    let fix = try #require(try read(body).gga?.fix)
    #expect(
      fix
        == GGA.Fix(
          kind: .differential, time: 62_366_250,
          coordinates: try #require(Coordinates(latitude: 440_690_105, longitude: -1_213_142_463)),
          satellites: 12, hdop: 91, altitude: 114_720, geoidSeparation: -2_130))
  }

  @Test func `a GNS says which systems have a fix`() throws {
    let body = "GNGNS,043539.00,4333.190206,N,00127.618380,E,NNAAN,14,1.3,250.8,50.0,,,V"
    let fix = try #require(try read(body).gns?.fix)
    #expect((0..<fix.kinds.count).map { fix.kinds[$0] }.map(\.rawValue) == [0, 0, 1, 1, 0])
    #expect(fix.kind == .autonomous)
    #expect(fix.coordinates.latitude == 435_531_701)
    #expect(fix.time == 16_539_000)
    #expect(fix.satellites == 14)
    #expect(fix.hdop == 130)
    #expect(fix.altitude == 25_080)
    #expect(fix.geoidSeparation == 5_000)
    #expect(try read("GNGNS,043539.00,,,,,NNNN,00,99.9,,,,").gns?.fix == nil)
  }

  @Test func `an RMC states position, motion and date`() throws {
    let body = "GPRMC,043539.00,A,4333.1902,N,00127.6183,E,10.125,359.99,040925,1.7,W,A,V"
    let fix = try #require(try read(body).rmc?.fix)
    #expect(fix.speed == 10_125)
    #expect(fix.course == 35_999)
    #expect(fix.day == 20_335)
    #expect(fix.magneticVariation == -170)
    #expect(fix.kind == .autonomous)
  }

  @Test func `a GLL states position and time`() throws {
    let fix = try #require(try read("GNGLL,4404.1406,N,12118.8548,W,171925.00,A,D").gll?.fix)
    #expect(fix.coordinates.longitude == -1_213_142_467)
    #expect(fix.time == 62_365_000)
    #expect(fix.kind == .differential)
    #expect(try read("GPGLL,4404.1406,N,12118.8548,W,171925,A").gll?.fix?.kind == nil)
  }

  @Test func `a GSA states the mode and its satellites`() throws {
    let gsa = try #require(try read("GNGSA,A,2,208,,213,,,,,,,,,,1.6,1.3,0.9,4").gsa)
    #expect(gsa.isAutomatic)
    #expect(gsa.mode == .twoDimensional)
    #expect((0..<gsa.satellites.count).map { gsa.satellites[$0] } == [208, 213])
    #expect([gsa.pdop, gsa.hdop, gsa.vdop] == [160, 130, 90])
    #expect(gsa.system == 4)
    let none = try #require(try read("GPGSA,M,1,,,,,,,,,,,,,,,").gsa)
    #expect(none.mode == .noFix && none.hdop == nil && none.system == nil && !none.isAutomatic)
  }

  @Test func `a GSV states satellites in view, with or without a signal`() throws {
    let gsv = try #require(try read("GPGSV,3,3,10,06,39,195,46,09,-04,359,,7").gsv)
    #expect([gsv.messages, gsv.number, gsv.inView] == [3, 3, 10])
    #expect(gsv.satellites.count == 2)
    #expect(
      gsv.satellites[0]
        == SatelliteInView(id: 6, elevation: 39, azimuth: 195, signalStrength: 46))
    #expect(gsv.satellites[1] == SatelliteInView(id: 9, elevation: -4, azimuth: 359))
    #expect(gsv.signal == 7)
    #expect(try read("GPGSV,1,1,01,12,45,100,33").gsv?.signal == nil)
    #expect(try read("GPGSV,1,1,00").gsv?.satellites.isEmpty == true)
    #expect(try read("GPGSV,1,1,01,12,45,100,33,,,,").gsv?.satellites.count == 1)
  }

  @Test func `a VTG states course and speed`() throws {
    let vtg = try #require(try read("GPVTG,84.4,T,77.52,M,0.211,N,0.391,K,A").vtg)
    #expect(
      [vtg.course, vtg.magneticCourse, vtg.speed, vtg.metresPerHour] == [8440, 7752, 211, 391])
    #expect(vtg.kind == .autonomous)
    #expect(try read("GPVTG,,T,,M,,N,,K,N").vtg?.course == nil)
  }

  @Test(
    arguments: [
      ("GPZDA,081411.000,26,05,2014,,", 29_651_000, 16_216, nil),
      ("GPZDA,081411,26,05,2014,-03,30", 29_651_000, 16_216, -210),
      ("GPZDA,081411,26,05,2014,05,45", 29_651_000, 16_216, 345),
      ("GPZDA,000430,22,08,1999,00,00", 270_000, nil, 0), ("GPZDA,,,,,,", nil, nil, nil),
    ] as [(String, UInt32?, UInt32?, Int16?)])
  func `a ZDA states time, date and zone`(
    _ body: String, _ time: UInt32?, _ day: UInt32?, _ zone: Int16?
  ) throws {
    #expect(
      try read(body).zda == ZDA(talker: .gps, time: time, day: day, zone: zone))
  }

  @Test(arguments: ["GP", "GN", "GL", "GA", "GB", "BD", "GQ", "GI"])
  func `every talker is read and named`(_ talker: String) throws {
    let letters = Array(talker.utf8)
    let expected = Talker(letters[0], letters[1])
    #expect(try read("\(talker)VTG,,T,,M,,N,,K,N").vtg?.talker == expected)
    #expect(try read("\(talker)GGA,,,,,,0,,,,M,,M,,").gga == GGA(talker: expected, fix: nil))
  }

  @Test(arguments: [
    "PUBX,00", "", "GGA", "GPTXT,01,01,02,x", "PGGGA,1", "GPGGAX,1", ",,GGA,,,,,,0", "gpGGA,,,,,,0",
  ])
  func `other types and makers' own formats are other`(_ body: String) throws {
    #expect(try read(body) == .other)
  }

  @Test(arguments: [
    "GPRMC,235948.00,V,0000.0000,N,00000.0000,E,,,161206,,,N", "GPRMC,9,V,x,,,,,,321399,,,",
    "GPRMC,120000,A,1030.0,N,02015.0,E,0,0,010324,,,N", "GPGGA,x,,,,,0,,,,M,,M,,",
    "GPGLL,,,,,,V,N", "GPGLL,9999,N,x,E,,V", "GPGLL,1030.0,N,02015.0,E,120000,A,N",
  ])
  func `what stands beside no fix is not read, be it a date or nonsense`(_ body: String) throws {
    switch try read(body) {
    case .gga(let gga): #expect(gga.fix == nil)
    case .rmc(let rmc): #expect(rmc.fix == nil)
    case .gll(let gll): #expect(gll.fix == nil)
    default: Issue.record("read as another type")
    }
  }

  @Test(arguments: [
    ("GPGSV,3,1,12,20,76,058,40", FieldError.missing), ("GPGSV,3,2,11,25,32,097", .missing),
    ("GPGSV,1,1,01,12", .missing), ("GPGSV,1,1,01,12,45", .missing), ("GPGSV,1,1", .missing),
    ("GPGSV,1,1,05,1,2,3,4,1,2,3,4,1,2,3,4,1,2,3,4,1,2,3,4", .malformed),
    ("GPGSV,1,2,01,12,45,100,33", .outOfRange), ("GPGSV,1,1,01,12,91,100,33", .outOfRange),
    ("GPGSV,1,1,01,12,45,361,33", .outOfRange), ("GPGSV,1,1,01,1x,45,100,33", .malformed),
    ("GPGSA,X,1,,,,,,,,,,,,,,,", .malformed), ("GPGSA,A,4,,,,,,,,,,,,,,,", .malformed),
    ("GPGSA,A", .missing), ("GPVTG,361,T,,M,,N,,K", .outOfRange),
    ("GPVTG,1,X,,M,,N,,K", .malformed), ("GPZDA,081411,26,13,2014,,", .outOfRange),
    ("GPZDA,081411,26,05,3014,,", .outOfRange), ("GPZDA,081411,26,05,2014,14,00", .outOfRange),
    ("GNGNS,120000,1030.0,N,02015.0,E,AAAAAAA,08,1.0,1,1,,", .malformed),
    ("GNGNS,120000,1030.0,N,02015.0,E,,08,1.0,1,1,,", .missing),
    ("GPGLL,1030.0,N,02015.0,E,120000", .missing),
    ("GPRMC,120000,A,1030.0,N,02015.0,E,-1,0,010324,,,A", .malformed),
  ])
  func `a sentence cut off or with a field that cannot be is an error`(
    _ body: String, _ expected: FieldError
  ) {
    #expect(throws: expected) { try read(body) }
  }
}

extension SentenceTests {
  private func read(_ body: String) throws(FieldError) -> Sentence {
    let bytes = Array(body.utf8)
    return try Sentence(bytes.span)
  }
}
