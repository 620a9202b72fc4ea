import Foundation
import TestSupport
import Testing

/// Programs of others that read what fob writes.
enum Python {
  /// - Returns: what the script prints; a script that fails is an issue with its words.
  static func run(
    _ script: String, _ arguments: [String], python: String = "/usr/bin/python3"
  ) throws -> String {
    try output(of: python, ["-c", script] + arguments)
  }

  /// The Python of a folder of its own that has `hdrhistogram` of PyPI, installed where it is not.
  static func withHdrHistogram() throws -> String {
    let script = Repository.root.appending(path: "scripts/hdrhistogram.sh").path
    return try output(of: script, []).trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private static func output(of program: String, _ arguments: [String]) throws -> String {
    let folder = try ScratchDirectory()
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["PYTHONIOENCODING": "utf-8"]) { $1 }
    // A file, since a pipe would be held open by what other tests start meanwhile.
    for name in ["output", "errors"] {
      try Data().write(to: URL(filePath: folder.path(name)))
    }
    process.standardOutput = FileHandle(forWritingAtPath: folder.path("output"))
    process.standardError = FileHandle(forWritingAtPath: folder.path("errors"))
    try process.run()
    process.waitUntilExit()
    let errors = try String(contentsOfFile: folder.path("errors"), encoding: .utf8)
    try #require(process.terminationStatus == 0, "\(program): \(errors)")
    return try String(contentsOfFile: folder.path("output"), encoding: .utf8)
  }
}
