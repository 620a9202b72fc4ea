import FobBase
import Foundation
import TestSupport
import Testing

/// The key of a pairing is in the core's file of keys and in the keychain's store, and nowhere else
/// (PROTOCOL.md, 15.1).
@Suite struct KeyLeakTests {
  /// The forms in which a program may write 16 bytes.
  private struct Needles {
    private let forms: [Data]

    /// - Parameter line: of a file of keys: the device, and the key as two numbers.
    init(line: Substring) throws {
      let numbers = try line.split(separator: " ").dropFirst().map {
        try #require(UInt64($0, radix: 16))
      }
      try #require(numbers.count == 2)
      let bytes = numbers.flatMap { number in (0..<8).map { UInt8(number >> ($0 * 8) & 0xFF) } }
      let hex = bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
      let written = numbers.map { String($0, radix: 16) }
      let decimal = numbers.map { String($0) }
      forms =
        [Data(bytes), Data(bytes.prefix(8)), Data(bytes.suffix(8))]
        + [hex, hex.uppercased(), String(Data(bytes).base64EncodedString().prefix(20))].map {
          Data($0.utf8)
        } + (written + written.map { $0.uppercased() } + decimal).map { Data($0.utf8) }
    }

    func isIn(_ data: Data) -> Bool { forms.contains { data.range(of: $0) != nil } }
  }

  @Test func `no log, message, capture, answer, backup or export has a key`() throws {
    let two = try TwoProcesses()
    let scratch = two.scratch
    let socket = scratch.path("bridge.sock")
    let capture = scratch.path("pairing.pcapng")
    let monitor = try RunningFob(
      ["monitor", "--socket", socket, "--write", capture, "--raw"], in: scratch)
    let tapped = try RunningFob(
      [
        "monitor", "--socket", scratch.path("keychain.sock"), "--write",
        scratch.path("keychain.pcapng"), "--raw",
      ], in: scratch)
    try two.pair()
    let event = try two.press()
    try two.awaitAck(event)
    for each in [monitor, tapped] {
      try each.awaitOutput("PAIR ", "PAIR_RESULT", "\(event), pressed")
      each.interrupt()
      #expect(each.awaitEnd() == 0)
    }
    let answers = try ["status", "presses", "incidents", "metrics", "lines"].map { question in
      try Data("\(two.toBridge.ask(["do": question]))".utf8)
    }
    two.bridge.interrupt()
    #expect(two.bridge.awaitEnd() == 0)
    let export = scratch.path("export.json")
    let exporting = try RunningFob(
      ["state", "export", "--state", scratch.path("state"), export], in: scratch,
      awaitsReady: false)
    try #require(exporting.awaitEnd() == 0, "\(exporting.output)")

    let kept = try String(contentsOfFile: two.keysPath, encoding: .utf8)
    let key = try Needles(line: #require(kept.split(separator: "\n").last))
    var found: Set<String> = []
    let files = try #require(FileManager.default.enumerator(atPath: scratch.path))
    for case let name as String in files {
      let path = scratch.path(name)
      // Not the keychain's link: a terminal that is opened may become this process's own.
      let type = try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
      guard type == .typeRegular, let data = FileManager.default.contents(atPath: path) else {
        continue
      }
      if key.isIn(data) { found.insert(name) }
    }
    // What it must find shows that it would find the others.
    #expect(found == ["state/keys", "keychain.store"])
    for text in [two.bridge.output, two.keychain.output, monitor.output, tapped.output] {
      #expect(!key.isIn(Data(text.utf8)))
    }
    #expect(!answers.contains(where: key.isIn))
    let exported = try #require(FileManager.default.contents(atPath: export))
    #expect(key.isIn(exported + Data(kept.utf8)), "a key that was left in the export is found")
  }
}
