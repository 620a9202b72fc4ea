import NMEA
import TestSupport
import Testing

struct CoordinateTests {
  @Test func `coordinates are rounded to the nearest unit whatever their decimals`() throws {
    var random = SeededGenerator(seed: 0x6E6D_6561)
    let receiver = FedReceiver()
    for _ in 0..<2_000 {
      let latitude = Angle.random(below: 90, width: 2, using: &random)
      let longitude = Angle.random(below: 180, width: 3, using: &random)
      let (south, west) = (Bool.random(using: &random), Bool.random(using: &random))
      let place = "\(latitude.text),\(south ? "S" : "N"),\(longitude.text),\(west ? "W" : "E")"
      receiver.read(gga(at: place))
      let fix = try #require(receiver.fix)
      #expect(fix.latitude == (south ? -1 : 1) * latitude.nearest, "\(place)")
      #expect(fix.longitude == (west ? -1 : 1) * longitude.nearest, "\(place)")
    }
    #expect(receiver.fieldErrors == 0)
  }

  @Test(arguments: [
    ("0000.0000000", 0), ("0000.0000029", 0), ("0000.000003", 1), ("0000.00000299999", 0),
    ("0000.0000089999999999", 1), ("0000.000009", 2), ("0059.999999999", 10_000_000),
    ("8959.999999999", 900_000_000), ("9000.0000", 900_000_000), ("0000", 0), ("0030.", 5_000_000),
  ])
  func `the ends and the halves are right`(_ text: String, _ expected: Int32) {
    let receiver = FedReceiver()
    receiver.read(gga(at: "\(text),N,0\(text),E"))
    #expect(receiver.fix?.latitude == expected)
    #expect(receiver.fix?.longitude == expected)
    receiver.read(gga(at: "\(text),S,18000.000,W"))
    #expect(receiver.fix?.latitude == -expected)
    #expect(receiver.fix?.longitude == -1_800_000_000)
  }

  /// An angle as a sentence writes it, and the unit next to it, halves up, by 64-bit arithmetic.
  private struct Angle {
    let text: String
    let nearest: Int32

    static func random(
      below limit: Int64, width: Int, using random: inout some RandomNumberGenerator
    ) -> Angle {
      let degrees = Int64.random(in: 0..<limit, using: &random)
      let minutes = Int64.random(in: 0..<60, using: &random)
      let places = Int.random(in: 1...10, using: &random)
      let scale = (0..<places).reduce(1 as Int64) { value, _ in value * 10 }
      let fraction = Int64.random(in: 0..<scale, using: &random)
      let text =
        padded(degrees, width) + padded(minutes, 2) + "." + padded(fraction, places)
      let units = (minutes * scale + fraction) * 10_000_000
      let nearest = degrees * 10_000_000 + (units + 30 * scale) / (60 * scale)
      return Angle(text: text, nearest: Int32(nearest))
    }

    private static func padded(_ n: Int64, _ width: Int) -> String {
      let digits = String(n)
      return String(repeating: "0", count: width - digits.count) + digits
    }
  }
}
