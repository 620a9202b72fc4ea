import Foundation
import TestSupport
import Testing

/// Whether `--compare` finds what is slower; by scripts/bench-compare.sh, on processes of its own.
///
/// The build is for debugging, and parts are few: what is planted is large, and chance may once
/// call worse what is alike. On a machine of its own the script plants 20 µs, and twenty times
/// (make soak-08).
@Suite(.serialized) struct BenchCompareTests {
  private static func script(
    _ arguments: [String], _ variables: [String: String]
  ) throws -> (status: Int32, said: String) {
    let process = Process()
    process.executableURL = Repository.root.appending(path: "scripts/bench-compare.sh")
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["FOB": RunningFob.binary, "PACING": "10000000"].merging(variables) { $1 }
    ) { $1 }
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, said)
  }

  @Test func `beside an earlier fob, work planted in a stage is found and named, real processes`()
    throws
  {
    let (status, said) = try Self.script(["1", "6.4"], ["DELAY": "800", "WORSE": "1"])
    #expect(status == 0, "\(said)")
    #expect(said.contains("1 planted: 1 found and named"), "\(said)")
  }

  /// A run's minute is not the other's: runs that are alike may be called worse.
  @Test func `with the file of an earlier run, much work planted is found, real processes`() throws
  {
    let (status, said) = try Self.script(
      ["1", "3.5"], ["AGAINST": "file", "DELAY": "4000", "WORSE": "1"])
    #expect(status == 0, "\(said)")
    #expect(said.contains("1 planted: 1 found and named"), "\(said)")
  }
}
