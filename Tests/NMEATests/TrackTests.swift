import FobBase
import NMEA
import TestSupport
import Testing

struct TrackTests {
  private func point(_ latitude: Int32, _ longitude: Int32) throws -> ReceiverState {
    ReceiverState(
      try #require(Coordinates(latitude: latitude, longitude: longitude)), utc: 1_709_337_598)
  }

  @Test func `each step moves place and time, over midnight`() throws {
    var track = Track(from: try point(-5, 10), north: 3, east: -20, interval: 1_500)
    track.advance()
    #expect(track.point.coordinates == Coordinates(latitude: -2, longitude: -10))
    #expect([track.point.day, track.point.time] == [19_783, 86_399_500])
    track.advance()
    #expect([track.point.day, track.point.time] == [19_784, 1_000])
  }

  @Test(
    arguments: [
      (899_999_999, 0, 5, 0, 900_000_000, 0), (-900_000_000, 0, -5, 0, -900_000_000, 0),
      (0, 1_799_999_999, 0, 2, 0, -1_799_999_999), (0, -1_799_999_999, 0, -2, 0, 1_799_999_999),
      (0, 1_800_000_000, .max, .max, 900_000_000, -800_000_000),
    ] as [(Int32, Int32, Int32, Int32, Int32, Int32)])
  func `a step stays on the globe`(
    _ latitude: Int32, _ longitude: Int32, _ north: Int32, _ east: Int32, _ toLatitude: Int32,
    _ toLongitude: Int32
  ) throws {
    var track = Track(from: try point(latitude, longitude), north: north, east: east)
    track.advance()
    #expect(
      track.point.coordinates == Coordinates(latitude: toLatitude, longitude: toLongitude))
  }

  @Test(arguments: UInt64(1)...4)
  func `a receiver of the fix follows a track to the unit`(_ seed: UInt64) throws {
    var random = RandomSentence(seed: seed)
    var point = ReceiverState(random.coordinates(), utc: 1_709_337_598)
    point.altitude = random.number(-50_000...900_000)
    var track = Track(
      from: point, north: random.number(-9_000...9_000), east: random.number(-9_000...9_000))
    let receiver = FedReceiver()
    for second in Int64(0)..<300 {
      let present = track.point
      receiver.read(written(.rmc(RMC(present, talker: .gps))), seconds: second)
      receiver.read(written(.gga(GGA(present, talker: .gps))), seconds: second)
      #expect(
        receiver.fix
          == GPSFix(
            quality: .good, mode: .threeDimensional, latitude: present.coordinates.latitude,
            longitude: present.coordinates.longitude, altitude: present.altitude, accuracy: 45,
            satellites: 8, utc: 1_709_337_598 + UInt32(second), at: .seconds(second)))
      track.advance()
    }
    #expect(receiver.fieldErrors == 0)
  }

  @Test func `beyond the globe there is no place`() {
    #expect(Coordinates(latitude: 900_000_001, longitude: 0) == nil)
    #expect(Coordinates(latitude: .min, longitude: 0) == nil)
    #expect(Coordinates(latitude: 0, longitude: -1_800_000_001) == nil)
  }
}
