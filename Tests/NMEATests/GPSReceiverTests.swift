import FobBase
import NMEA
import Testing

struct GPSReceiverTests {
  let receiver = FedReceiver()

  @Test func `a GGA states the whole fix`() {
    #expect(receiver.read(rmc(), seconds: 1))
    #expect(receiver.read(gga(time: "093001.75", satellites: "11", altitude: "-4.25"), seconds: 2))
    #expect(
      receiver.fix
        == GPSFix(
          quality: .good, mode: .threeDimensional, latitude: 105_000_000, longitude: 202_500_000,
          altitude: -425,
          accuracy: 50, satellites: 11, utc: 1_709_285_401, at: .seconds(2)))
  }

  @Test(arguments: ["GP", "GN", "GL", "GA", "GB", "BD", "GQ", "QZ", "GI"])
  func `every talker is read`(_ talker: String) {
    #expect(receiver.read(gga(talker)))
    #expect(receiver.read(rmc(talker)))
    #expect(receiver.fix?.latitude == 110_000_000)
  }

  @Test func `other sentences are counted and passed over`() {
    for body in ["GPGSV,1,1,00", "GPVTG,,T,,M,,N,,K,N", "PUBX,00", "", "GGA"] {
      #expect(!receiver.read(sentence(body)))
    }
    #expect(!receiver.read(sentence("PXGGA,093000,1030.0,N,02015.0,E,1,08,1.0,12.5,M,,M,,")))
    #expect(receiver.skipped == 6)
    #expect(receiver.reader.accepted == 6)
    #expect(receiver.fix == nil)
  }

  @Test func `a receiver that sends RMC alone is weak at best`() {
    #expect(receiver.read(rmc()))
    #expect(
      receiver.fix
        == GPSFix(
          quality: .weak, mode: .twoDimensional, latitude: 110_000_000, longitude: 210_000_000,
          altitude: 0,
          accuracy: GPSFix.unknownAccuracy, satellites: 0, utc: 1_709_285_400, at: .seconds(0)))
    #expect(receiver.read(rmc(status: "V"), seconds: 1))
    #expect(receiver.quality(seconds: 1) == .none)
    #expect(receiver.fix?.latitude == 110_000_000)
  }

  @Test func `an RMC moves the position and keeps the quality of the GGA`() {
    receiver.read(gga(satellites: "09", hdop: "2.0"))
    #expect(receiver.read(rmc(), seconds: 1))
    #expect(receiver.fix?.latitude == 110_000_000)
    #expect(receiver.fix?.quality == .good)
    #expect(receiver.fix?.satellites == 9)
    #expect(receiver.fix?.accuracy == 100)
    #expect(receiver.fix?.altitude == 1_250)
    receiver.read(rmc(), seconds: 6)
    #expect(receiver.fix?.quality == .weak)
    #expect(receiver.fix?.satellites == 0)
    #expect(receiver.fix?.altitude == 1_250)
  }

  @Test func `status V with a date and coordinates makes no position and wipes none`() {
    #expect(!receiver.read(rmc(status: "V")))
    #expect(receiver.fix == nil)
    receiver.read(gga(), seconds: 1)
    #expect(receiver.fix?.utc == 0)
    let before = receiver.fix
    #expect(!receiver.read(rmc(status: "V"), seconds: 2))
    #expect(!receiver.read(rmc(status: "V", at: ",,,", date: ""), seconds: 2))
    #expect(receiver.fix == before)
    #expect(receiver.quality(seconds: 2) == .good)
  }

  @Test func `an RMC does not speak against a GGA that has no fix`() {
    receiver.read(gga(), seconds: 0)
    receiver.read(gga(quality: "0"), seconds: 1)
    #expect(!receiver.read(rmc(), seconds: 2))
    #expect(receiver.fix?.latitude == 105_000_000)
    #expect(receiver.quality(seconds: 2) == .none)
  }

  @Test(
    arguments: [
      gga(at: "9000.0001,N,02015.0000,E"), gga(at: "1030.0000,N,18000.0001,E"),
      gga(at: "1060.0000,N,02015.0000,E"), gga(at: "1030.00x0,N,02015.0000,E"),
      gga(at: "130.0000,N,02015.0000,E"), gga(at: "1030.0000,N,2015.0000,E"),
      gga(at: "-030.0000,N,02015.0000,E"), gga(at: "1030.0000,E,02015.0000,N"),
      gga(at: "1030.0000,,02015.0000,E"), gga(at: "1030.0000,N,,E"), gga(at: ",,,"),
      gga(at: "1030.0.00,N,02015.0000,E"), gga(at: "1030.0000,NN,02015.0000,E"),
      gga(quality: ""), gga(quality: "x"), gga(quality: "23"), gga(satellites: "-1"),
      gga(satellites: "9999999999"), gga(hdop: "1.x"), gga(hdop: "."), gga(altitude: "-"),
      gga(altitude: "99999999"), gga(time: "243000"), gga(time: "096000"), gga(time: "093061"),
      gga(time: "0930"), gga(time: "093000.0a"), sentence("GPGGA"), sentence("GPGGA,,,,,,"),
      sentence("GPGGA,093000,1030.0000,N,02015.0000"),
      rmc(status: ""), rmc(status: "X"), rmc(at: "1100.0000,N,18100.0000,E"), rmc(at: ",,,"),
      rmc(date: "320124"), rmc(date: "000124"), rmc(date: "011324"), rmc(date: "290223"),
      rmc(date: "10324"), rmc(date: "01-324"), rmc(time: "0930"), sentence("GPRMC"),
    ].map { String(decoding: $0, as: UTF8.self) })
  func `a field that cannot be is an error and harms nothing`(_ text: String) {
    let lie = Array(text.utf8)
    #expect(!receiver.read(lie))
    #expect(receiver.fix == nil)
    receiver.read(rmc(), seconds: 1)
    receiver.read(gga(), seconds: 1)
    let last = receiver.fix
    #expect(!receiver.read(lie, seconds: 1))
    #expect(receiver.fix == last)
    #expect(receiver.fieldErrors == 2)
    #expect(receiver.reader.refused == 0)
  }

  @Test func `fields left off behind the position are unknown`() {
    #expect(receiver.read(sentence("GPGGA,,1030,N,02015,E,1")))
    #expect(receiver.fix?.latitude == 105_000_000)
    #expect(receiver.fix?.quality == .weak)
    #expect(receiver.fix?.utc == 0)
  }
}
