import Foundation
import TestSupport
import Testing

/// gpsd's decoder as a program (Debian: gpsd-clients): sentences in, reports in JSON out.
enum GPSDecode {
  /// gpsd's TPV report: degrees, metres, metres a second, ISO 8601. Mode 1 is no fix.
  struct Report: Decodable {
    let `class`: String
    let mode: UInt8?
    let time: String?
    let lat: Double?
    let lon: Double?
    let altMSL: Double?
    let track: Double?
    let speed: Double?
  }

  /// - Throws: an issue that says what to install where the program is missing.
  static func reports(of bytes: [UInt8]) throws -> [Report] {
    let program = try #require(path, "no gpsdecode on the path; install gpsd-clients: make deps")
    let scratch = try ScratchDirectory()
    let input = URL(fileURLWithPath: scratch.path("track.nmea"))
    try Data(bytes).write(to: input)
    let decoder = Process()
    let output = Pipe()
    decoder.executableURL = program
    decoder.standardInput = try withExtendedLifetime(scratch) {
      try FileHandle(forReadingFrom: input)
    }
    decoder.standardOutput = output
    try decoder.run()
    let lines = try output.fileHandleForReading.readToEnd() ?? Data()
    decoder.waitUntilExit()
    #expect(decoder.terminationStatus == 0)
    return try lines.split(separator: UInt8(ascii: "\n"))
      .map { try JSONDecoder().decode(Report.self, from: $0) }
      .filter { $0.class == "TPV" }
  }

  private static var path: URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .map { URL(fileURLWithPath: String($0), isDirectory: true).appending(path: "gpsdecode") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }
}
