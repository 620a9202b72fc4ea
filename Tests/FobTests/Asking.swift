import Foundation
import Testing

/// Asks a running `fob`, by curl, with the administrator's token of its state folder.
struct Asking {
  let url: String
  private let token: String

  init(_ fob: RunningFob, state: String) throws {
    url = String(
      try #require(fob.output.firstMatch(of: /page is at (http:\S+)\//)?.output.1))
    token = try String(contentsOfFile: state + "/admin-token", encoding: .utf8)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  func ask(_ path: String) throws -> String { try curl(["--fail", url + path]) }

  func status(_ path: String) throws -> String {
    try curl(["--output", "/dev/null", "--write-out", "%{http_code}", url + path])
  }

  /// With its status and what it is answered.
  func tell(_ method: String, _ path: String, _ json: String) throws -> (
    status: String, text: String
  ) {
    let output = try curl([
      "--request", method, "--header", "Content-Type: application/json", "--write-out",
      "\n%{http_code}", "--data-binary", json, url + path,
    ])
    let end = try #require(output.lastIndex(of: "\n"))
    return (String(output[output.index(after: end)...]), String(output[..<end]))
  }

  func must(_ method: String, _ path: String, _ json: String) throws {
    _ = try curl([
      "--fail-with-body", "--request", method, "--header", "Content-Type: application/json",
      "--data-binary", json, url + path,
    ])
  }

  /// Keeps what is answered as it is.
  func save(_ path: String, to file: String) throws {
    _ = try curl(["--fail", "--output", file, url + path])
  }

  private var arguments: [String] {
    ["curl", "--noproxy", "*", "--silent", "--header", "Authorization: Bearer \(token)"]
  }

  private func curl(_ words: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments + ["--max-time", "20"] + words
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let text = String(decoding: output, as: UTF8.self)
    try #require(process.terminationStatus == 0, "\(words.last!): \(text)")
    return text
  }
}

extension Asking {
  /// What a stream of events brings, until it has all of these words.
  func stream(_ path: String, until words: [String], then act: () throws -> Void) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments + ["--no-buffer", "--max-time", "60", url + path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    defer {
      process.terminate()
      process.waitUntilExit()
    }
    var bytes = Data()
    var hasActed = false
    while true {
      let more = pipe.fileHandleForReading.availableData
      bytes += more
      let text = String(decoding: bytes, as: UTF8.self)
      try #require(!more.isEmpty, "the stream ended without \(words): \(text.suffix(2_000))")
      // Its first words say that it hears.
      if !hasActed {
        hasActed = true
        try act()
      }
      if words.allSatisfy({ text.contains($0) }) { return text }
    }
  }
}
