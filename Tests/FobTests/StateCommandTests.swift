import Foundation
import TestSupport
import Testing

@Suite struct StateCommandTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private func fob(_ arguments: [String]) throws -> (status: Int32?, output: String) {
    let fob = try RunningFob(["state"] + arguments, in: scratch, awaitsReady: false)
    return (fob.awaitEnd(), fob.output)
  }

  @Test func `the state of a running bridge goes out, in, and out again the same`() throws {
    let two = try TwoProcesses()
    try two.awaitAck(try two.press())
    let first = scratch.path("first.json")
    let export = try fob(["export", "--state", two.scratch.path("state"), first])
    #expect(export.status == 0, "\(export.output)")
    let attributes = try FileManager.default.attributesOfItem(atPath: first)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    let copy = scratch.path("copy")
    let imported = try fob(["import", "--state", copy, first])
    #expect(imported.status == 0)
    #expect(imported.output.contains("rows into \(copy)"))
    let again = try fob(["export", "--state", copy])
    #expect(again.status == 0)
    #expect(try again.output == String(contentsOfFile: first, encoding: .utf8))
    let twice = try fob(["import", "--state", copy, first])
    #expect(twice.status == 66)
    #expect(twice.output.contains("there is state already"))
    let held = try fob(["import", "--state", two.scratch.path("state"), first])
    #expect(held.status == 66)
    #expect(held.output.contains("process \(two.bridge.pid)"))
    try two.clear()
  }

  @Test func `what is no document is refused by name, and what is not there as well`() throws {
    let garbage = scratch.path("garbage.json")
    try Data("{\"format\":".utf8).write(to: URL(filePath: garbage))
    let refused = try fob(["import", "--state", scratch.path("state"), garbage])
    #expect(refused.status == 64)
    #expect(refused.output.contains("cannot import \(garbage): it is not JSON"))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("state")))
    #expect(try fob(["import", "--state", scratch.path("state"), "/nonexistent"]).status == 66)
    #expect(try fob(["export", "--state", scratch.path("state")]).status == 66)
    #expect(
      try fob(["export", "--state", scratch.path("state"), scratch.path("out")]).status == 66)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("out")))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("out.part")))
  }

  @Test func `an export says what it lacks, and so does the import`() throws {
    let two = try TwoProcesses()
    try two.awaitAck(try two.press())
    let folder = two.scratch.path("state")
    let token = try RunningFob(
      ["token", "create", "--scope", "feed", "--state", folder], in: scratch, awaitsReady: false)
    #expect(token.awaitEnd() == 0)
    let file = scratch.path("state.json")
    let export = try fob(["export", "--state", folder, file])
    #expect(export.status == 0)
    #expect(export.output.contains("not exported: tokens.json"), "\(export.output)")
    #expect(!export.output.contains("not exported: ack-key"), "there is none")
    let document = try String(contentsOfFile: file, encoding: .utf8)
    for name in ["tokens.json", "ack-key", "fob keys export"] {
      #expect(document.contains(#""lacks":[{"file":"tokens.json""#) && document.contains(name))
    }
    let copy = scratch.path("copy")
    let imported = try fob(["import", "--state", copy, file])
    #expect(imported.status == 0)
    for words in ["not imported: tokens.json", "fob token create", "not imported: ack-key"] {
      #expect(imported.output.contains(words), "\(imported.output)")
    }
    // As a document of an earlier version is, which does not say it.
    let start = try #require(document.range(of: #""lacks":["#))
    let end = try #require(document.range(of: #"],"tables""#))
    let old = document.replacingCharacters(
      in: start.lowerBound..<end.upperBound, with: #""tables""#)
    let earlier = scratch.path("earlier.json")
    try Data(old.utf8).write(to: URL(filePath: earlier))
    let again = try fob(["import", "--state", scratch.path("again"), earlier])
    #expect(again.status == 0 && again.output.contains("not imported: tokens.json"))
    try two.clear()
  }
}
