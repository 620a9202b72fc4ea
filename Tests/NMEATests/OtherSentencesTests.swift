import FobBase
import NMEA
import Testing

/// What a receiver of the fix makes of GNS, GLL, GSA and ZDA.
struct OtherSentencesTests {
  let receiver = FedReceiver()

  private let gns = sentence("GNGNS,093000.00,1030.0000,N,02015.0000,E,AAN,09,1.2,12.5,45.0,,,V")
  private let gll = sentence("GPGLL,1100.0000,N,02100.0000,E,093000.00,A,A")

  private func gsa(
    _ mode: String, satellites: Int = 6, hdop: String = "1.4", talker: String = "GP"
  ) -> [UInt8] {
    let ids = (1...12).map { $0 <= satellites ? "\($0)" : "" }.joined(separator: ",")
    return sentence("\(talker)GSA,A,\(mode),\(ids),2.7,\(hdop),2.3")
  }

  @Test func `a GNS states a fix as a GGA does`() {
    #expect(receiver.read(gns))
    #expect(
      receiver.fix
        == GPSFix(
          quality: .good, mode: .threeDimensional, latitude: 105_000_000, longitude: 202_500_000,
          altitude: 1_250, accuracy: 60, satellites: 9, utc: 0, at: .seconds(0)))
    #expect(receiver.read(sentence("GNGNS,093001.00,,,,,NNN,00,99.9,,,,,V"), seconds: 1))
    #expect(receiver.quality(seconds: 1) == .none)
    #expect(receiver.mode(seconds: 1) == .noFix)
    #expect(receiver.fix?.latitude == 105_000_000)
  }

  @Test(arguments: ["E", "M", "S", "EN", "NS"])
  func `a GNS that satellites did not measure is weak`(_ modes: String) {
    let body = "GNGNS,093000.00,1030.0000,N,02015.0000,E,\(modes),09,1.2,12.5,45.0,,,V"
    receiver.read(sentence(body))
    #expect(receiver.fix?.quality == .weak)
    #expect(receiver.fix?.accuracy == GPSFix.unknownAccuracy)
  }

  @Test func `a GLL alone is weak, and dated by nobody`() {
    #expect(receiver.read(gll))
    #expect(receiver.fix?.latitude == 110_000_000)
    #expect(receiver.fix?.quality == .weak)
    #expect(receiver.fix?.mode == .twoDimensional)
    #expect(receiver.fix?.utc == 0)
    #expect(receiver.read(sentence("GPGLL,,,,,093001.00,V,N"), seconds: 1))
    #expect(receiver.quality(seconds: 1) == .none)
  }

  @Test func `a GLL moves the position and keeps the quality of the GGA`() {
    receiver.read(rmc())
    receiver.read(gga(satellites: "09", hdop: "2.0"))
    #expect(receiver.read(gll))
    #expect(receiver.fix?.latitude == 110_000_000)
    #expect(receiver.fix?.quality == .good)
    #expect(receiver.fix?.mode == .threeDimensional)
    #expect(receiver.fix?.altitude == 1_250)
    #expect(receiver.fix?.utc == 1_709_285_400)
    #expect(!receiver.read(sentence("GPGLL,1100.0,N,02100.0,E,093000,V,N")))
    receiver.read(gga(quality: "0"), seconds: 1)
    #expect(!receiver.read(gll, seconds: 1), "no GLL speaks against a GGA without a fix")
  }

  @Test(arguments: [
    ("3", 4, "5.0", GPSQuality.good), ("3", 3, "1.0", .weak), ("3", 8, "5.01", .weak),
    ("3", 8, "99.99", .weak), ("3", 8, "", .weak), ("2", 8, "1.0", .weak), ("1", 8, "1.0", .weak),
  ])
  func `RMC beside GSA is as good as the GSA says`(
    _ mode: String, _ satellites: Int, _ hdop: String, _ expected: GPSQuality
  ) {
    receiver.read(gsa(mode, satellites: satellites, hdop: hdop))
    receiver.read(rmc(), seconds: 1)
    #expect(receiver.quality(seconds: 1) == expected)
    #expect(receiver.mode(seconds: 1) == (mode == "3" ? .threeDimensional : .twoDimensional))
    receiver.read(rmc(), seconds: 6)
    #expect(receiver.quality(seconds: 6) == .weak, "the GSA is over 5 s old")
    #expect(receiver.mode(seconds: 6) == .twoDimensional)
  }

  @Test func `the GSA of one epoch with most satellites counts, and that of the next anew`() {
    receiver.read(gsa("3", satellites: 7) + gsa("3", satellites: 2))
    receiver.read(rmc())
    #expect(receiver.fix?.satellites == 7)
    receiver.read(gsa("3", satellites: 2), seconds: 1)
    receiver.read(rmc(), seconds: 1)
    #expect(receiver.fix?.satellites == 2)
    #expect(receiver.quality(seconds: 1) == .weak)
  }

  @Test func `dead reckoning beside a GSA is weak`() {
    receiver.read(gsa("3"))
    receiver.read(sentence("GPGLL,1100.0000,N,02100.0000,E,093000.00,A,E"))
    #expect(receiver.quality(seconds: 0) == .weak)
  }

  @Test func `a GSA raises the mode at once and makes no position`() {
    #expect(!receiver.read(gsa("3")))
    #expect(receiver.fix == nil)
    #expect(receiver.mode(seconds: 0) == .noFix)
    receiver.read(rmc(), seconds: 10)
    #expect(receiver.mode(seconds: 10) == .twoDimensional)
    #expect(receiver.read(gsa("3"), seconds: 10))
    #expect(receiver.mode(seconds: 10) == .threeDimensional)
    #expect(!receiver.read(gsa("3"), seconds: 10))
    #expect(!receiver.read(gsa("1"), seconds: 10))
  }

  @Test(arguments: [
    ("03", "12.5", "3", FixMode.threeDimensional), ("03", "12.5", "2", .twoDimensional),
    ("03", "12.5", "1", .twoDimensional), ("04", "12.5", "1", .threeDimensional),
    ("14", "12.5", "2", .threeDimensional), ("08", "", "2", .twoDimensional),
  ])
  func `three dimensions are four satellites with an altitude, or a GSA's word`(
    _ satellites: String, _ altitude: String, _ mode: String, _ expected: FixMode
  ) {
    let position = gga(satellites: satellites, altitude: altitude)
    for second in Int64(1)...3 {
      receiver.read(position, seconds: second)
      receiver.read(gsa(mode), seconds: second)
      #expect(receiver.mode(seconds: second) == expected)
    }
    #expect(receiver.mode(seconds: 9) == .noFix)
  }

  @Test func `a ZDA dates the fixes that follow it, across midnight too`() {
    receiver.read(gga(time: "235959"))
    #expect(receiver.fix?.utc == 0)
    #expect(!receiver.read(sentence("GPZDA,235959.00,01,03,2024,00,00")))
    receiver.read(gga(time: "000000"), seconds: 1)
    #expect(receiver.fix?.utc == 1_709_337_600)
  }

  @Test(arguments: [
    "GPZDA,093000.00,22,08,1999,00,00", "GPZDA,093000.00,,,,,", "GPZDA,,01,03,2024,,",
  ])
  func `a ZDA that knows no date takes none away`(_ body: String) {
    receiver.read(rmc())
    receiver.read(sentence(body))
    receiver.read(gga())
    #expect(receiver.fix?.utc == 1_709_285_400)
  }

  @Test func `a date without a fix is not believed`() {
    receiver.read(sentence("GPZDA,093000.00,16,12,2006,00,00"))
    receiver.read(rmc(status: "V", date: "161206"))
    receiver.read(gga())
    #expect(receiver.fix?.utc == 0)
    receiver.read(gga(quality: "0"), seconds: 1)
    receiver.read(sentence("GPZDA,093001.00,16,12,2006,00,00"), seconds: 1)
    receiver.read(gga(), seconds: 2)
    #expect(receiver.fix?.utc == 0)
    receiver.read(sentence("GPZDA,093001.00,16,12,2006,00,00"), seconds: 8)
    receiver.read(gga(), seconds: 9)
    #expect(receiver.fix?.utc == 0, "the fix beside that ZDA was over 5 s old")
  }

  @Test func `a stale fix tells its place, its age and that it is none`() throws {
    receiver.read(rmc(), seconds: 100)
    receiver.read(gga(), seconds: 100)
    let fix = try #require(receiver.fix)
    #expect(fix.age(at: .seconds(100)) == .zero)
    #expect(fix.age(at: .seconds(7_300)) == .seconds(7_200))
    #expect(fix.age(at: .seconds(99)) == .zero, "a clock that was set back")
    for (second, quality, mode) in [
      (105, GPSQuality.good, FixMode.threeDimensional), (106, .none, .noFix),
      (7_300, .none, .noFix),
    ] as [(Int64, GPSQuality, FixMode)] {
      #expect(receiver.quality(seconds: second) == quality)
      #expect(receiver.mode(seconds: second) == mode)
    }
    #expect(receiver.fix == fix, "asking changes nothing")
  }

  @Test func `chunks and bytes make the same fix`() {
    let bytes = gga() + gsa("3") + rmc() + gll + gns
    var (alone, together) = (GPSReceiver(), GPSReceiver())
    for byte in bytes { _ = alone.receive(byte, at: .seconds(1)) }
    let isChanged = together.receive(bytes.span, at: .seconds(1))
    #expect(isChanged)
    #expect(alone.fix == together.fix)
    let again = together.receive(gsa("3").span, at: .seconds(1))
    #expect(!again)
  }
}
