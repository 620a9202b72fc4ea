import NMEA
import Testing

struct UTCTests {
  let receiver = FedReceiver()

  @Test func `the days of 2000 to 2079 follow one another`() {
    var expected: UInt32 = 946_684_800
    for year in 0..<80 {
      for month in 1...12 {
        for day in 1...31 {
          let date = [day, month, year].map { $0 < 10 ? "0\($0)" : "\($0)" }.joined()
          guard receiver.read(rmc(time: "000000", date: date)) else { continue }
          #expect(receiver.fix?.utc == expected, "\(date)")
          expected += 86_400
        }
      }
    }
    #expect(expected == 3_471_292_800, "2080-01-01")
    #expect(receiver.fieldErrors == 80 * 7 - 20, "30 and 31 February and so on; 20 leap years")
  }

  @Test(arguments: ["060180", "220899", "311299"])
  func `a date of week 0 is unknown and the position stands`(_ date: String) {
    receiver.read(rmc())
    #expect(receiver.read(rmc(date: date), seconds: 1))
    #expect(receiver.fix?.utc == 0)
    receiver.read(gga(), seconds: 1)
    #expect(receiver.fix?.utc == 0)
  }

  @Test func `a date of a rolled-over week is passed on as stated`() {
    receiver.read(rmc(time: "120000", date: "161206"))
    #expect(receiver.fix?.utc == 1_166_270_400)
  }

  @Test(arguments: [
    ("235959", "000000.5", 1), ("235959", "235958", -1), ("000001", "235959", -2),
    ("120000", "000000", -43_200), ("120000", "235959", 43_199), ("235959", "235960", 1),
  ])
  func `a GGA takes the date of the last RMC, across midnight too`(
    _ dated: String, _ time: String, _ difference: Int64
  ) throws {
    receiver.read(rmc(time: dated))
    let utc = Int64(try #require(receiver.fix).utc)
    receiver.read(gga(time: time), seconds: 3_600)
    #expect(Int64(try #require(receiver.fix).utc) == utc + difference)
    receiver.read(gga(time: time), seconds: 3_601)
    #expect(receiver.fix?.utc == 0, "a date of an hour ago may be yesterday's")
  }

  @Test func `without a date or a time there is no time`() {
    receiver.read(gga())
    #expect(receiver.fix?.utc == 0)
    receiver.read(rmc(time: ""))
    #expect(receiver.fix?.utc == 0)
    receiver.read(rmc(date: ""))
    #expect(receiver.fix?.utc == 0)
    receiver.read(rmc())
    receiver.read(gga(time: ""))
    #expect(receiver.fix?.utc == 0)
  }
}
