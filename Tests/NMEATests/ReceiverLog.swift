import Foundation
import NMEA
import TestSupport
import Testing

/// A recording of a real receiver, and beside it what gpsd made of it: each sentence that gpsd
/// took, followed by the reports in JSON that it gave out after that sentence.
///
/// The recordings are gpsd's regression tests (`test/daemon/*.log`, `.log.chk`) and not part of
/// this repository. They are looked for in the folder that FOB_NMEA_LOGS names, else beside the
/// repository.
struct ReceiverLog: Sendable, CustomTestStringConvertible {
  let name: String
  /// Reports that the log holds, so that none is lost unnoticed: all, with a position, and of those
  /// the ones with a time here too.
  let reports: Int
  let positions: Int
  let times: Int
  /// Reports without a fix whose time is neither that of the last fix nor that of the last ZDA:
  /// how many there are, by the date.
  var otherTimes: [String: Int] = [:]
  let bestQuality: GPSQuality
  /// After how many sentences, by their address, gpsd states another mode.
  var otherModes: [String: Int] = [:]
  /// Sentences that gpsd did not take, with the reason.
  var acceptedHereAlone: [String: String] = [:]
  /// Sentences with a right checksum and a field that cannot be, with what is wrong.
  var unreadable: [String: String] = [:]
  /// gpsd takes a date that it finds too old for a rolled-over one and adds 1024 weeks. Here the
  /// receiver's word stands; it is also the date that the log's own comments state.
  var weeksAddedByGPSD: UInt32 = 0

  static let all = [
    ReceiverLog(
      name: "bu353-glonass.log", reports: 25, positions: 11, times: 11, bestQuality: .good,
      // The log begins with a GSA; here a mode is that of a position, and none has come yet.
      otherModes: ["$GNGSA": 2]),
    ReceiverLog(
      name: "garmin-geko201.log", reports: 38, positions: 2, times: 0, bestQuality: .weak,
      // A simulator, whose GGA states a fix (8) and whose RMC and GLL state none (V). Here the GGA
      // decides and the fix is weak; for gpsd the last sentence of a cycle decides.
      otherModes: ["$GPGLL": 18, "$GPBOD": 17]),
    ReceiverLog(
      name: "gp-320fw-2019-04-07-coldboot.log", reports: 50, positions: 4, times: 1,
      // Week 0 of the GPS calendar, which is unknown here; and the time of a GGA without a fix,
      // which gpsd dates by the fix that the receiver had before it was started anew.
      otherTimes: ["1999-08-22": 34, "2019-04-07": 2],
      bestQuality: .good,
      // The receiver is started anew and sends RMC alone, with V. Here the last GGA holds until it
      // has been silent for 5 s, and the test's clock stands still.
      otherModes: ["$GPRMC": 8, "$GPGSA": 2],
      acceptedHereAlone: [
        "GPGSV,3,3,12,2,40,16,00,090,": "quoted in the log's comments, which were not fed to gpsd"
      ],
      unreadable: [
        "$GPGSV,3,3,12,2,40,16,00,090,*72": "five fields of satellites; the checksum is right"
      ]),
    ReceiverLog(
      name: "neo-m8n.log", reports: 23, positions: 23, times: 22, bestQuality: .good,
      weeksAddedByGPSD: 1024),
    ReceiverLog(
      name: "quectel-l76k-nmea.log", reports: 150, positions: 150, times: 150, bestQuality: .good),
    ReceiverLog(
      name: "telit-pls83-w.log", reports: 104, positions: 104, times: 102, bestQuality: .good,
      // gpsd takes the Galileo GGA, of one satellite, for the fix of the whole receiver; here the
      // talker with the best fix is listened to.
      otherModes: ["$GAGGA": 1]),
    ReceiverLog(
      name: "ublox-lea-5h.log", reports: 26, positions: 26, times: 26, bestQuality: .good),
  ]

  static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["FOB_NMEA_LOGS"] {
      return URL(fileURLWithPath: path, isDirectory: true)
    }
    return Repository.root.deletingLastPathComponent()
      .appendingPathComponent("shared/data/nmea", isDirectory: true)
  }()

  /// Absent logs are a failure in CI, and elsewhere a test that says that it did not run.
  static let isWanted =
    FileManager.default.fileExists(atPath: folder.path)
    || ProcessInfo.processInfo.environment["CI"] != nil

  var testDescription: String { name }

  static func namesInFolder() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".log") }.sorted()
  }

  func bytes() throws -> [UInt8] {
    [UInt8](try Data(contentsOf: Self.folder.appendingPathComponent(name)))
  }

  func readings() throws -> [Reading] {
    let file = Self.folder.appendingPathComponent(name + ".chk")
    var readings: [Reading] = []
    for line in try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")) {
      if line.first == UInt8(ascii: "$") {
        let end = line.last == UInt8(ascii: "\r") ? line.endIndex - 1 : line.endIndex
        readings.append(Reading(sentence: String(decoding: line[..<end], as: UTF8.self)))
      } else if !readings.isEmpty {
        let report = try JSONDecoder().decode(Report.self, from: line)
        if report.class == "TPV" { readings[readings.count - 1].report = report }
      }
    }
    return readings
  }

  struct Reading {
    let sentence: String
    var report: Report?
  }

  /// gpsd's TPV report: degrees and ISO 8601. Mode 1 is no fix, 2 and 3 are dimensions.
  struct Report: Decodable {
    let `class`: String
    let mode: UInt8?
    let lat: Double?
    let lon: Double?
    let time: String?

    /// Whole seconds since 1970.
    var seconds: UInt32? {
      guard let time = time?.prefix(19) else { return nil }
      return ISO8601DateFormatter().date(from: "\(time)Z").map { UInt32($0.timeIntervalSince1970) }
    }
  }
}
