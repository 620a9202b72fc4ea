import Capture
import Foundation
import TestSupport
import Testing

/// tshark with the dissector of this repository.
enum Tshark {
  static let path = "/usr/bin/tshark"
  static var isThere: Bool { FileManager.default.isExecutableFile(atPath: path) }

  /// A field as tshark shows it.
  struct Field: Equatable {
    let name: String
    /// What a filter compares with.
    let value: String
    /// What stands in the tree.
    let label: String
  }

  struct Refused: Error { let said: String }

  /// - Returns: what tshark printed, one line of it a string.
  static func run(_ arguments: [String], on packets: [CapturedPacket]) throws -> [String] {
    let scratch = try ScratchDirectory()
    let capture = scratch.path("capture.pcapng")
    var writer = PcapngWriter()
    var file = writer.begin(application: "fob test")
    for packet in packets { file += writer.append(packet) ?? [] }
    try Data(file).write(to: URL(filePath: capture))
    return try run(arguments, file: capture, in: scratch)
  }

  static func run(
    _ arguments: [String], file: String, in scratch: ScratchDirectory
  ) throws -> [String] {
    let script = Repository.root.appending(path: "firmware-protocol/wireshark/fob.lua").path
    let output = scratch.path("tshark-\(UInt32.random(in: 0...UInt32.max))")
    _ = FileManager.default.createFile(atPath: output, contents: nil)
    let process = Process()
    process.executableURL = URL(filePath: path)
    process.arguments = ["-X", "lua_script:\(script)", "-r", file] + arguments
    // No settings and plugins of the user.
    process.environment = ["HOME": scratch.path("home"), "LC_ALL": "C.UTF-8"]
    let complaints = scratch.path("complaints")
    _ = FileManager.default.createFile(atPath: complaints, contents: nil)
    process.standardOutput = FileHandle(forWritingAtPath: output)
    process.standardError = FileHandle(forWritingAtPath: complaints)
    try process.run()
    process.waitUntilExit()
    let said = try String(contentsOfFile: complaints, encoding: .utf8)
    guard process.terminationStatus == 0, !said.contains("Lua") else { throw Refused(said: said) }
    return try String(contentsOfFile: output, encoding: .utf8)
      .split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Every field of the link, packet by packet, in the order of the tree.
  static func fields(of packets: [CapturedPacket]) throws -> [[Field]] {
    var found: [[Field]] = []
    for line in try run(["-T", "pdml"], on: packets) {
      if line.contains("<packet>") { found.append([]) }
      guard let name = attribute("name", of: line), name.hasPrefix("fob.") else { continue }
      found[found.count - 1].append(
        Field(
          name: name, value: attribute("show", of: line) ?? "",
          label: attribute("showname", of: line) ?? ""))
    }
    return found
  }

  private static func attribute(_ name: String, of line: String) -> String? {
    guard let start = line.range(of: " \(name)=\"")?.upperBound,
      let end = line[start...].firstIndex(of: "\"")
    else { return nil }
    let marks = [
      ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#x27;", "'"),
      ("&amp;", "&"),
    ]
    return marks.reduce(String(line[start..<end])) {
      $0.replacingOccurrences(of: $1.0, with: $1.1)
    }
  }
}
