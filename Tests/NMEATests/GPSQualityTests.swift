import NMEA
import Testing

struct GPSQualityTests {
  let receiver = FedReceiver()

  @Test(arguments: [
    ("1", "04", "5.0", GPSQuality.good), ("1", "04", "5.01", .weak), ("1", "03", "1.0", .weak),
    ("1", "", "1.0", .weak), ("1", "08", "", .weak), ("1", "08", "0.0", .weak),
    ("1", "08", "99.99", .weak), ("2", "08", "1.0", .good), ("3", "08", "1.0", .good),
    ("4", "08", "1.0", .good), ("5", "08", "1.0", .good), ("6", "08", "1.0", .weak),
    ("7", "08", "1.0", .weak), ("8", "08", "1.0", .weak), ("9", "08", "1.0", .weak),
  ])
  func `quality follows the indicator, the satellites and the dilution`(
    _ indicator: String, _ satellites: String, _ hdop: String, _ expected: GPSQuality
  ) {
    receiver.read(gga(quality: indicator, satellites: satellites, hdop: hdop))
    #expect(receiver.fix?.quality == expected)
    #expect(receiver.quality(seconds: 0) == expected)
    #expect(receiver.fix?.latitude == 105_000_000)
  }

  @Test func `there is no quality before the first sentence`() {
    #expect(receiver.quality(seconds: 0) == .none)
    #expect(!receiver.read(gga(quality: "0")))
    #expect(receiver.fix == nil)
  }

  @Test func `silence for over five seconds means none`() {
    receiver.read(gga(), seconds: 100)
    #expect(receiver.quality(seconds: 105) == .good)
    #expect(receiver.quality(seconds: 106) == .none)
    receiver.read(gga(), seconds: 110)
    #expect(receiver.quality(seconds: 110) == .good)
  }

  @Test func `a lost signal keeps the last place`() {
    receiver.read(gga(), seconds: 1)
    let last = receiver.fix
    #expect(receiver.read(gga(at: ",,,", quality: "0", satellites: "00", hdop: ""), seconds: 2))
    var expected = last
    expected?.quality = .none
    expected?.mode = .noFix
    #expect(receiver.fix == expected)
    #expect(receiver.quality(seconds: 2) == .none)
    #expect(!receiver.read(gga(quality: "0"), seconds: 3))
    #expect(receiver.read(gga(), seconds: 4))
    #expect(receiver.quality(seconds: 4) == .good)
  }

  @Test func `the talker with the best fix is listened to while it speaks`() {
    let better = gga("GP", satellites: "07")
    let worse = gga("GA", at: "1100.0000,N,02015.0000,E", satellites: "01")
    #expect(receiver.read(worse, seconds: 0))
    for second in Int64(0)...9 {
      #expect(receiver.read(better, seconds: second))
      #expect(!receiver.read(worse, seconds: second))
      #expect(!receiver.read(gga("GA", quality: "0"), seconds: second))
      #expect(receiver.quality(seconds: second) == .good)
    }
    #expect(!receiver.read(worse, seconds: 14))
    #expect(receiver.read(worse, seconds: 15))
    #expect(receiver.quality(seconds: 15) == .weak)
  }

  @Test func `a talker without a fix gives way to one with`() {
    receiver.read(gga("GP"), seconds: 0)
    for second in Int64(1)...3 {
      receiver.read(gga("GP", quality: "0"), seconds: second)
      receiver.read(gga("GA", satellites: "03"), seconds: second)
      #expect(receiver.quality(seconds: second) == .weak)
    }
  }

  @Test func `accuracy is the dilution times five metres`() {
    receiver.read(gga(hdop: "1.3"))
    #expect(receiver.fix?.accuracy == 65)
    receiver.read(gga(hdop: "98.99"))
    #expect(receiver.fix?.accuracy == 4_949)
    for unknown in [gga(hdop: ""), gga(hdop: "99.99"), gga(quality: "8", hdop: "2.0")] {
      receiver.read(unknown)
      #expect(receiver.fix?.accuracy == GPSFix.unknownAccuracy)
    }
  }
}
