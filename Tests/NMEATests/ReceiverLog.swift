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
  /// Reports with a position that the log holds, so that none is lost unnoticed.
  let positions: Int
  /// Of those, the ones with a time here too.
  let times: Int
  let bestQuality: GPSQuality
  /// Differences on purpose, with the reason: sentences after which gpsd knows another position.
  var otherPositions: [String: String] = [:]
  /// Sentences that gpsd did not take, with the reason.
  var acceptedHereAlone: [String: String] = [:]
  /// gpsd takes a date that it finds too old for a rolled-over one and adds 1024 weeks. Here the
  /// receiver's word stands; it is also the date that the log's own comments state.
  var weeksAddedByGPSD: UInt32 = 0

  static let all = [
    ReceiverLog(name: "bu353-glonass.log", positions: 11, times: 11, bestQuality: .good),
    ReceiverLog(name: "garmin-geko201.log", positions: 2, times: 0, bestQuality: .weak),
    ReceiverLog(
      name: "gp-320fw-2019-04-07-coldboot.log", positions: 4, times: 1, bestQuality: .good,
      acceptedHereAlone: [
        "GPGSV,3,3,12,2,40,16,00,090,": "quoted in the log's comments, which were not fed to gpsd"
      ]),
    ReceiverLog(
      name: "neo-m8n.log", positions: 23, times: 22, bestQuality: .good,
      otherPositions: [
        "$GNGLL,4404.14066,N,12118.85481,W,171925.00,A,A*66":
          "GLL is not read here; the first RMC comes with the next second"
      ],
      weeksAddedByGPSD: 1024),
    ReceiverLog(name: "quectel-l76k-nmea.log", positions: 150, times: 150, bestQuality: .good),
    ReceiverLog(name: "telit-pls83-w.log", positions: 104, times: 102, bestQuality: .good),
    ReceiverLog(name: "ublox-lea-5h.log", positions: 26, times: 26, bestQuality: .good),
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

  /// gpsd's TPV report: degrees and ISO 8601.
  struct Report: Decodable {
    let `class`: String
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
