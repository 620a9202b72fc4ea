import TestSupport
import Testing

@testable import NMEA

/// The device reads a few fields by a reader of its own: it must say what the full readers say.
struct ReportTests {
  private static let sentences = [
    "GPGGA,092750.000,5321.6802,N,00630.3372,W,1,8,1.03,61.7,M,55.2,M,,",
    "GNGGA,235959.999,0000.0000,S,17959.9999,E,4,12,99.99,-7.5,M,-20.1,M,1.0,0001",
    "GPGGA,,,,,,0,00,99.99,,,,,,", "GNGGA,120000,4807.038,N,01131.000,E,6,,,,,,,,",
    "GPRMC,092750.000,A,5321.6802,N,00630.3372,W,0.02,31.66,280511,,,A",
    "GNRMC,101112,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W",
    "GPRMC,,V,,,,,,,,,,N", "GPRMC,1,V,x,N,,,,,,,,N",
    "GNRMC,000000,A,0100.5,S,00200.25,W,,,010120,1.5,E,N",
    "GNGNS,103600.01,5114.51176,N,00012.29380,W,ANNN,07,1.18,111.5,45.6,,,V",
    "GNGNS,122310.2,3722.425671,N,12258.856215,W,NA,14,0.9,1005.543,6.5,,",
    "GNGNS,1,,,,,NNNNNN,,,,,,",
    "GPGLL,4916.45,N,12311.12,W,225444,A,D", "GNGLL,,,,,,V,N",
    "GPGLL,4916.45,N,12311.12,W,225444,A",
    "GPGSA,A,3,10,07,05,02,29,04,08,13,,,,,1.72,1.03,1.38",
    "GNGSA,M,1,,,,,,,,,,,,,99.99,99.99,99.99,3",
    "GPZDA,160012.71,11,03,2004,-1,00", "GNZDA,,,,,,", "GPGSV,1,1,01,02,45,100,30",
    "GPVTG,1,T,,M,2,N,3,K",
  ]

  @Test func `the device's reader says of mutilated sentences what the full readers say`() {
    var random = SeededGenerator(seed: 6)
    var read = 0
    for round in 0..<200_000 {
      var bytes = Array(Self.sentences[round % Self.sentences.count].utf8)
      for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
        let at = bytes.indices.randomElement(using: &random)!
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes.remove(at: at)
        case 1: bytes.insert(UInt8(ascii: ","), at: at)
        case 2: bytes[at] = Array("0123456789,.-AVNSEWMGX".utf8).randomElement(using: &random)!
        default: bytes.removeSubrange(at...)
        }
      }
      let (said, expected) = (Self.report(bytes), Self.expected(bytes))
      if said != expected {
        Issue.record("\(String(decoding: bytes, as: UTF8.self)): \(said as Any)")
        return
      }
      if said?.hasFix ?? false { read += 1 }
    }
    #expect(read > 40_000)
  }

  /// Nil for a sentence with a field that cannot be.
  private static func report(_ bytes: [UInt8]) -> Report? {
    var report = Report()
    guard (try? report.read(bytes.span)) != nil else { return nil }
    return report.hasFix
      ? report : Report(source: report.source, talker: report.talker, hasFix: false)
  }

  private static func expected(_ bytes: [UInt8]) -> Report? {
    guard let sentence = try? Sentence(bytes.span) else {
      // The device does not read what it has no use for.
      guard let type = SentenceAddress(bytes.span)?.type, type == .gsv || type == .vtg else {
        return nil
      }
      return Report(talker: SentenceAddress(bytes.span)!.talker)
    }
    switch sentence {
    case .gga(let gga):
      guard let fix = gga.fix else { return none(.measurement, gga.talker) }
      return Report(
        source: .measurement, talker: gga.talker, latitude: fix.coordinates.latitude,
        longitude: fix.coordinates.longitude, time: fix.time, altitude: fix.altitude,
        kind: fix.kind, hdop: fix.hdop, satellites: fix.satellites ?? 0)
    case .gns(let gns):
      guard let fix = gns.fix else { return none(.measurement, gns.talker) }
      return Report(
        source: .measurement, talker: gns.talker, latitude: fix.coordinates.latitude,
        longitude: fix.coordinates.longitude, time: fix.time, altitude: fix.altitude,
        kind: fix.kind, hdop: fix.hdop, satellites: fix.satellites ?? 0)
    case .rmc(let rmc):
      guard let fix = rmc.fix else { return none(.dated, rmc.talker) }
      return Report(
        source: .dated, talker: rmc.talker, latitude: fix.coordinates.latitude,
        longitude: fix.coordinates.longitude, time: fix.time, day: fix.day, kind: fix.kind)
    case .gll(let gll):
      guard let fix = gll.fix else { return none(.position, gll.talker) }
      return Report(
        source: .position, talker: gll.talker, latitude: fix.coordinates.latitude,
        longitude: fix.coordinates.longitude, time: fix.time, kind: fix.kind)
    case .gsa(let gsa):
      return Report(
        source: .satellites, talker: gsa.talker, hdop: gsa.hdop,
        satellites: UInt8(gsa.satellites.count), mode: gsa.mode)
    case .zda(let zda):
      return Report(source: .date, talker: zda.talker, time: zda.time, day: zda.day)
    case .gsv(let gsv): return Report(talker: gsv.talker)
    case .vtg(let vtg): return Report(talker: vtg.talker)
    case .other: return Report()
    }
  }

  private static func none(_ source: Report.Source, _ talker: Talker) -> Report {
    Report(source: source, talker: talker, hasFix: false)
  }
}
