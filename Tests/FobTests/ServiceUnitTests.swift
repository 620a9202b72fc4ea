import FobBase
import Foundation
import TestSupport
import Testing

/// The units that systemd runs: it takes them, and what they start takes their options.
@Suite struct ServiceUnitTests {
  private static let units = ["fob-core.service", "fob-bridge.service"]

  private static func text(_ unit: String) throws -> String {
    try String(
      contentsOf: Repository.root.appending(path: "systemd/\(unit)"), encoding: .utf8)
  }

  private static func values(_ key: String, of unit: String) throws -> [String] {
    try text(unit).split(whereSeparator: \.isNewline).compactMap { line in
      line.hasPrefix("\(key)=") ? String(line.dropFirst(key.count + 1)) : nil
    }
  }

  @Test(arguments: units)
  func `every option that a unit gives is one of its command`(unit: String) throws {
    let start = try #require(try Self.values("ExecStart", of: unit).first)
    let words = start.split(separator: " ").map(String.init)
    #expect(words.first == "/usr/bin/fob")
    let fob = try RunningFob(
      [words[1], "--help"], in: ScratchDirectory(), awaitsReady: false)
    #expect(fob.awaitEnd() == 0)
    let known = Set(fob.output.split { !($0.isLetter || $0 == "-") }.map(String.init))
    let options = words.filter { $0.hasPrefix("--") }
    #expect(!options.isEmpty)
    for option in options { #expect(known.contains(option), "\(unit) gives \(option)") }
  }

  @Test(arguments: units)
  func `a unit comes back whatever happened, and may write to its own state alone`(
    unit: String
  ) throws {
    for (key, value) in [
      ("Type", "notify"), ("Restart", "always"), ("ProtectSystem", "strict"),
      ("DynamicUser", "yes"), ("NoNewPrivileges", "yes"), ("CapabilityBoundingSet", ""),
      ("StartLimitIntervalSec", "0"), ("WatchdogSec", "30"), ("LimitCORE", "0"),
      ("OOMScoreAdjust", "-900"), ("PrivateUsers", "yes"), ("ProcSubset", "pid"),
    ] {
      #expect(try Self.values(key, of: unit) == [value], "\(unit): \(key)")
    }
  }

  @Test(arguments: units)
  func `systemd measures the exposure of a unit as 12 tenths at the most`(unit: String) throws {
    let path = Repository.root.appending(path: "systemd/\(unit)").path
    let (status, said) = try analyze(["security", "--offline=true", "--threshold=12", path])
    #expect(status == 0, "\(said)")
    let level = try #require(said.firstMatch(of: #/Overall exposure level for .*: ([0-9.]+) /#))
    #expect(try #require(Double(level.output.1)) <= 1.2)
  }

  @Test(arguments: units)
  func `systemd takes a unit without a warning, Debian package systemd`(unit: String) throws {
    let scratch = try ScratchDirectory()
    let path = scratch.path(unit)
    // It looks for what a unit starts, and for its documentation.
    try Self.text(unit).replacing("/usr/bin/fob ", with: "\(RunningFob.binary) ")
      .write(toFile: path, atomically: true, encoding: .utf8)
    let (status, said) = try analyze(["verify", "--man=no", path])
    #expect(status == 0, "\(said)")
    #expect(!said.contains(unit), "\(said)")
  }

  private func analyze(_ words: [String]) throws -> (status: Int32, said: String) {
    let analyze = "/usr/bin/systemd-analyze"
    try #require(
      FileManager.default.isExecutableFile(atPath: analyze),
      "there is no \(analyze); install Debian's package systemd")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: analyze)
    process.arguments = words
    let output = Pipe()
    process.standardError = output
    process.standardOutput = output
    try process.run()
    let said = String(
      decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, said)
  }
}
