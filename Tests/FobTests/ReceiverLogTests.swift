import Foundation
import TestSupport
import Testing

/// Recordings of real receivers, which are not part of this repository: they are looked for in the
/// folder that FOB_NMEA_LOGS names, else beside the repository. Absent, they are a failure where CI
/// is set; elsewhere the test says that it did not run.
enum ReceiverLogs {
  static let folder =
    ProcessInfo.processInfo.environment["FOB_NMEA_LOGS"]
    ?? Repository.root.deletingLastPathComponent().path + "/shared/data/nmea"

  static let areWanted =
    FileManager.default.fileExists(atPath: folder)
    || ProcessInfo.processInfo.environment["CI"] != nil

  static let names = [
    "bu353-glonass", "garmin-geko201", "gp-320fw-2019-04-07-coldboot", "neo-m8n",
    "quectel-l76k-nmea", "telit-pls83-w", "ublox-lea-5h",
  ]
}

/// `fob run --gps FILE`.
@Suite(
  .enabled(
    if: ReceiverLogs.areWanted,
    "NOT RUN: no receiver logs in \(ReceiverLogs.folder); name their folder in FOB_NMEA_LOGS"))
struct ReceiverLogTests {
  /// Within 50 m: gpsd reports some epochs of a moving receiver only, and the last digits are
  /// compared where NMEA is tested.
  @Test(arguments: ReceiverLogs.names)
  func `the alarm's text has the position that gpsd reads from the same receiver`(
    log: String
  ) throws {
    let path = "\(ReceiverLogs.folder)/\(log).log"
    let known = try positions("\(path).chk")
    try #require(!known.isEmpty)
    let fob = try RunningFob(
      ["run", "--json", "--gps", path], in: ScratchDirectory(), awaitsReady: false)
    #expect(fob.awaitEnd() == 0, "\(fob.output)")
    let texts = fob.output.split(separator: "\n").compactMap { line -> String? in
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let message = object?["message"] as? [String: Any]
      return message?["kind"] as? String == "raise" ? message?["text"] as? String : nil
    }
    #expect(texts.count == 2)
    for text in texts {
      let (latitude, longitude) = try #require(coordinates(in: text), "\(text)")
      let isKnown = known.contains {
        abs($0.latitude - latitude) < 5e-4 && abs($0.longitude - longitude) < 5e-4
      }
      #expect(isKnown, "gpsd knows no such position: \(text)")
    }
  }

  private func positions(_ path: String) throws -> [(latitude: Double, longitude: Double)] {
    try String(contentsOfFile: path, encoding: .isoLatin1).split(whereSeparator: \.isNewline)
      .compactMap {
        let report = try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        guard let latitude = report?["lat"] as? Double, let longitude = report?["lon"] as? Double
        else { return nil }
        return (latitude, longitude)
      }
  }

  /// Behind "geo:", as in `geo:51.4778000,-0.0015000`.
  private func coordinates(in text: String) -> (Double, Double)? {
    guard let link = text.range(of: "geo:") else { return nil }
    let numbers = text[link.upperBound...].prefix { "-.,0123456789".contains($0) }
      .split(separator: ",").compactMap { Double($0) }
    return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
  }
}
