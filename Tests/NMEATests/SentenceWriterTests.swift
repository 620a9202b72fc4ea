import NMEA
import TestSupport
import Testing

struct SentenceWriterTests {
  @Test(arguments: UInt64(1)...8)
  func `what is written is read back to the same values`(_ seed: UInt64) throws {
    var random = RandomSentence(seed: seed)
    var reader = SentenceReader()
    for _ in 0..<2_000 {
      let sentence = random.next()
      let bytes = written(sentence)
      #expect(bytes.filter { reader.receive($0) }.count == 1)
      let back = try reader.sentence()
      #expect(back == sentence, "\(String(decoding: bytes, as: UTF8.self))")
    }
    #expect(reader.refused == 0)
  }

  @Test func `sentences look as receivers write them`() throws {
    let place = try #require(Coordinates(latitude: 481_499_883, longitude: -115_846_633))
    var point = ReceiverState(place, utc: 1_709_285_401)
    point.altitude = -425
    point.geoidSeparation = 4_560
    point.speed = 12_345
    point.course = 8_440
    #expect(
      text([
        .gga(GGA(point, talker: .gps)), .gns(GNS(point, talker: .combined)),
        .rmc(RMC(point, talker: .gps)), .gll(GLL(point, talker: .gps)),
        .vtg(VTG(point, talker: .gps)), .zda(ZDA(point, talker: .gps)),
        .gsa(GSA(point, talker: .gps)), .gsv(GSV(point, talker: .galileo, number: 2)),
      ]) == [
        "GPGGA,093001.00,4808.9992980,N,01135.0797980,W,1,08,0.90,-4.25,M,45.60,M,,",
        "GNGNS,093001.00,4808.9992980,N,01135.0797980,W,A,08,0.90,-4.25,45.60,,",
        "GPRMC,093001.00,A,4808.9992980,N,01135.0797980,W,12.345,84.40,010324,,,A",
        "GPGLL,4808.9992980,N,01135.0797980,W,093001.00,A,A",
        "GPVTG,84.40,T,,M,12.345,N,22.863,K,A",
        "GPZDA,093001.00,01,03,2024,00,00",
        "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.80,0.90,1.57",
        "GAGSV,2,2,08,05,45,180,40,06,45,225,40,07,45,270,40,08,45,315,40",
      ])
  }

  @Test func `without a fix no place, motion or date is stated`() throws {
    var point = ReceiverState(
      try #require(Coordinates(latitude: 1, longitude: 1)), utc: 1_709_285_401)
    point.kind = .invalid
    #expect(
      text([
        .gga(GGA(point, talker: .gps)), .gns(GNS(point, talker: .gps)),
        .rmc(RMC(point, talker: .gps)), .gll(GLL(point, talker: .gps)),
        .vtg(VTG(point, talker: .gps)), .gsa(GSA(point, talker: .gps)),
      ]) == [
        "GPGGA,,,,,,0,,,,M,,M,,", "GPGNS,,,,,,N,,,,,,", "GPRMC,,V,,,,,,,,,,N", "GPGLL,,,,,,V,N",
        "GPVTG,,T,,M,,N,,K,N", "GPGSA,A,1,,,,,,,,,,,,,1.80,0.90,1.57",
      ])
  }

  @Test func `nothing is written of another sentence`() {
    #expect(written(.other).isEmpty)
  }

  @Test func `numbers past what can be read become the nearest that can`() throws {
    let vtg = VTG(
      talker: .gps, course: .max, magneticCourse: 36_001, speed: .max, metresPerHour: .max,
      kind: nil)
    let back = try #require(try read(.vtg(vtg)).vtg)
    #expect([back.course, back.magneticCourse] == [36_000, 36_000])
    #expect([back.speed, back.metresPerHour] == [999_999_999, 999_999_999])
    let zda = ZDA(talker: .gps, time: .max, day: .max, zone: .min)
    #expect(try read(.zda(zda)) == .zda(ZDA(talker: .gps, time: 86_400_999, day: nil, zone: -839)))
  }

  @Test func `every day of 2000 to 2099 is written as its date`() throws {
    let lost = try (UInt32(10_957)..<47_482).filter { day in
      let zda = Sentence.zda(ZDA(talker: .gps, time: 0, day: day, zone: nil))
      let bytes = written(zda)
      return try Sentence(bytes.span.extracting(1..<bytes.count - 5)) != zda
    }
    #expect(lost.isEmpty)
    for day in [0, 10_956, 47_482, UInt32.max] {
      let zda = ZDA(talker: .gps, time: 0, day: day, zone: nil)
      #expect(try read(.zda(zda)).zda?.day == nil)
    }
  }

  @Test(arguments: UInt8(0)...40)
  func `the messages of a view show each satellite once`(_ count: UInt8) throws {
    var point = ReceiverState(
      try #require(Coordinates(latitude: 0, longitude: 0)), utc: 1_709_285_401)
    point.satellites = count
    var ids: [UInt16] = []
    for number in 1...GSV.messages(of: point) {
      let gsv = try #require(try read(.gsv(GSV(point, talker: .gps, number: number))).gsv)
      ids += (0..<gsv.satellites.count).map { gsv.satellites[$0].id }
      #expect(gsv.inView == min(count, 32))
    }
    #expect(ids == Array(1..<UInt16(min(count, 32)) + 1))
  }

  private func read(_ sentence: Sentence) throws -> Sentence {
    var reader = SentenceReader()
    #expect(written(sentence).filter { reader.receive($0) }.count == 1)
    return try reader.sentence()
  }

  /// The sentences without `$`, checksum and line end.
  private func text(_ sentences: [Sentence]) -> [String] {
    FedReader().read(sentences.flatMap(written))
  }
}
