import Foundation
import NMEA
import Testing

struct GPSDecodeTests {
  /// Of the first epoch there is no report: gpsd has yet to learn which sentence ends a cycle. The
  /// last one has no successor that would end it.
  private static let epochs = 400
  private static let reports = 395...400
  /// Epochs of two dimensions.
  private static let flat = 100..<150

  @Test(arguments: UInt64(1)...3)
  func `gpsdecode, which must be installed, reads a moving track as it was written`(
    _ seed: UInt64
  ) throws {
    let points = Self.track(seed: seed)
    let pointsByTime = Self.byTime(points)
    let reports = try GPSDecode.reports(of: points.flatMap(Self.epoch))
    #expect(Self.reports.contains(reports.count), "\(reports.count) reports")
    var otherModes: [ReceiverState] = []
    for report in reports {
      let time = try #require(report.time)
      let point = try #require(pointsByTime[time], "\(time)")
      if report.mode != point.mode.rawValue { otherModes.append(point) }
      let latitude = try #require(report.lat)
      let longitude = try #require(report.lon)
      #expect(abs(latitude * 1e7 - Double(point.coordinates.latitude)) < 0.6, "\(time)")
      #expect(abs(longitude * 1e7 - Double(point.coordinates.longitude)) < 0.6, "\(time)")
      #expect(try abs(#require(report.track) - Double(point.course) / 100) < 0.001, "\(time)")
      let speed = Double(point.speed) / 1_000 * 1_852 / 3_600
      #expect(try abs(#require(report.speed) - speed) < 0.001, "\(time)")
      guard point.mode == .threeDimensional else { continue }
      #expect(try abs(#require(report.altMSL) - Double(point.altitude) / 100) < 0.001, "\(time)")
    }
    // In the epoch at which the altitude ceases gpsd still has that of the one before.
    #expect(otherModes == [points[Self.flat.lowerBound]])
  }

  /// Over midnight, and with three satellites for a while.
  private static func track(seed: UInt64) -> [ReceiverState] {
    var random = RandomSentence(seed: seed)
    var first = ReceiverState(random.coordinates(), utc: 1_709_337_400)
    first.geoidSeparation = random.number(-10_000...10_000)
    var track = Track(
      from: first, north: random.number(-30_000...30_000), east: random.number(-30_000...30_000))
    var points: [ReceiverState] = []
    for epoch in 0..<epochs {
      track.point.altitude = random.number(-40_000...900_000)
      track.point.speed = random.number(500...500_000)
      track.point.course = random.number(0...35_999)
      track.point.satellites = flat.contains(epoch) ? 3 : random.number(4...12)
      track.point.hdop = random.number(50...900)
      points.append(track.point)
      track.advance()
    }
    return points
  }

  private static func epoch(_ point: ReceiverState) -> [UInt8] {
    let views = (1...GSV.messages(of: point)).map { GSV(point, talker: .gps, number: $0) }
    let sentences: [Sentence] =
      [.gga(GGA(point, talker: .gps)), .gsa(GSA(point, talker: .gps))] + views.map(Sentence.gsv)
      + [
        .vtg(VTG(point, talker: .gps)), .zda(ZDA(point, talker: .gps)),
        .gll(GLL(point, talker: .gps)), .rmc(RMC(point, talker: .gps)),
      ]
    return sentences.flatMap(written)
  }

  /// By the time as gpsd writes it; the epochs are whole seconds.
  private static func byTime(_ points: [ReceiverState]) -> [String: ReceiverState] {
    let format = ISO8601DateFormatter()
    let pairs = points.map { point in
      let seconds = Double(point.day) * 86_400 + Double(point.time / 1_000)
      let text = format.string(from: Date(timeIntervalSince1970: seconds))
      return (text.replacingOccurrences(of: "Z", with: ".000Z"), point)
    }
    return Dictionary(uniqueKeysWithValues: pairs)
  }
}
