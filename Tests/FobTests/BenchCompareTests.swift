import Foundation
import TestSupport
import Testing

/// Whether `--compare` finds what is slower; by scripts/bench-compare.sh, on processes of its own.
@Suite struct BenchCompareTests {
  /// Other tests share the machine, and the build is for debugging: what is planted is large, and
  /// of runs that are alike some may be called worse. On a machine of its own the script plants
  /// 20 µs and allows one in twenty (make soak-08).
  @Test func `work planted in a stage is found, and the stage is named, real processes`() throws {
    let process = Process()
    process.executableURL = Repository.root.appending(path: "scripts/bench-compare.sh")
    process.arguments = ["2", "3.5"]
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["FOB": RunningFob.binary, "DELAY": "4000", "WORSE": "2", "PACING": "10000000"]
    ) { $1 }
    let pipe = Pipe()
    (process.standardOutput, process.standardError) = (pipe, pipe)
    try process.run()
    let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(said)")
    #expect(said.contains("2 planted: 2 found and named"), "\(said)")
  }
}
