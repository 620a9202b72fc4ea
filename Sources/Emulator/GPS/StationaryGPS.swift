import FobBase
import Glibc
import SerialIO

/// A receiver that stands still under open sky: GGA and RMC (NMEA 0183) with eight satellites and
/// an HDOP of 0.9, exact to the 1e-7 degree because seven decimals of a minute are written.
struct StationaryGPS: Sendable {
  private let position: String

  /// - Throws: `IOFailure` with EINVAL beyond 90 degrees of latitude or 180 of longitude.
  init(latitude: Int32, longitude: Int32) throws(IOFailure) {
    guard latitude.magnitude <= 900_000_000, longitude.magnitude <= 1_800_000_000 else {
      throw IOFailure(
        "place", errno: EINVAL, path: "the GPS receiver",
        reason: "\(latitude), \(longitude) in 1e-7 degree is not on the globe")
    }
    position = """
      \(Self.angle(latitude.magnitude, digits: 2)),\(latitude < 0 ? "S" : "N"),\
      \(Self.angle(longitude.magnitude, digits: 3)),\(longitude < 0 ? "W" : "E")
      """
  }

  /// - Parameter utc: seconds since 1970-01-01 00:00 UTC.
  func sentences(atUTC utc: Int64) -> [UInt8] {
    let second = UInt32(utc % 86_400)
    let time =
      Self.padded(second / 3_600, 2) + Self.padded(second / 60 % 60, 2)
      + Self.padded(second % 60, 2) + ".00"
    return Self.sentence("GPGGA,\(time),\(position),1,08,0.9,0.0,M,0.0,M,,")
      + Self.sentence("GPRMC,\(time),A,\(position),0.0,,\(Self.date(utc / 86_400)),,,A")
  }

  /// `ddmm.mmmmmmm` or `dddmm.mmmmmmm`.
  private static func angle(_ value: UInt32, digits: Int) -> String {
    let (degrees, rest) = value.quotientAndRemainder(dividingBy: 10_000_000)
    let (minutes, fraction) = (rest * 60).quotientAndRemainder(dividingBy: 10_000_000)
    return padded(degrees, digits) + padded(minutes, 2) + "." + padded(fraction, 7)
  }

  /// `ddmmyy` of a day since 1970-01-01, by the civil calendar.
  private static func date(_ days: Int64) -> String {
    var seconds = time_t(days * 86_400)
    var civil = tm()
    gmtime_r(&seconds, &civil)
    return padded(UInt32(civil.tm_mday), 2) + padded(UInt32(civil.tm_mon + 1), 2)
      + padded(UInt32(civil.tm_year % 100), 2)
  }

  private static func sentence(_ characters: String) -> [UInt8] {
    let checksum = characters.utf8.reduce(0, ^)
    let digits = String(checksum, radix: 16, uppercase: true)
    return Array("$\(characters)*\(checksum < 16 ? "0" : "")\(digits)\r\n".utf8)
  }

  private static func padded(_ number: UInt32, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
