import Foundation
import TestSupport
import Testing

@testable import fob

@Suite struct ScenarioTests {
  static let shipped: [String] = {
    let folder = Repository.root.appending(path: "docs/scenarios").path
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".yaml") }.sorted().map { folder + "/" + $0 }
  }()

  @Test func `there are scenarios to learn from`() { #expect(!Self.shipped.isEmpty) }

  @Test(arguments: shipped)
  func `every scenario that is shipped passes`(path: String) throws {
    let fob = try RunningFob(
      ["run", "--scenario", path], in: ScratchDirectory(), awaitsReady: false)
    #expect(fob.awaitEnd() == 0, "\(fob.output)")
    #expect(fob.output.contains("PASS"), "\(fob.output)")
  }

  /// The first step that does not come true ends it; its line, what was expected and what was found
  /// are said.
  @Test(arguments: [
    ("- expect: {presses: 1, within: 50ms}", "line 2", "presses is 0"),
    ("- press\n- never: {happening: event, for: 3s}", "line 3", "it happened"),
    ("- wait: {light: failed, within: 50ms}", "line 2", "seen 0 of 1"),
    ("- refused: press", "line 2", "it was not refused"),
    ("- release", "line 2", "the button is not held"),
    ("- unplug\n- press", "press 1.2 is lost", "the core has no entry"),
    ("- expect: {mood: good, within: 50ms}", "line 2", "there is no mood"),
  ])
  func `what does not come true is a failure that names its line and cause`(
    steps: String, place: String, cause: String
  ) throws {
    let scratch = try ScratchDirectory()
    let path = scratch.path("scenario.yaml")
    try "steps:\n\(steps)\n".write(toFile: path, atomically: true, encoding: .utf8)
    let fob = try RunningFob(["run", "--scenario", path], in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd() == 1, "\(fob.output)")
    #expect(fob.output.contains(place) && fob.output.contains(cause), "\(fob.output)")
    #expect(fob.output.contains("FAIL"), "\(fob.output)")
  }

  @Test(arguments: [
    ("steps:\n  - wait: {mood: good}", "line 2"),
    ("steps:\n  - pause: 5", "line 2"),
    ("steps:\n  - wait: {light: idle, times: 0}", "line 2"),
    ("steps:\n  - press: {}\n    release: {}", "line 2"),
    ("steps:\n  - refused: {pause: 1s}", "line 2"),
    ("bench: {gpz: none}\nsteps: [press]", "line 1"),
    ("bench: {battery: 101}\nsteps: [press]", "0 to 100"),
    ("moves: [press]", "line 1"),
    ("steps: press", "line 1"),
    ("steps: []", "no steps"),
    ("- press", "no mapping"),
    ("steps: [", "cannot read"),
    ("", "no mapping"),
  ])
  func `a file that cannot be played is refused with its line`(text: String, words: String) {
    let failure = #expect(throws: Failure.self) {
      try ScenarioReader.read(text, path: "scenario.yaml")
    }
    #expect(failure?.status == .usage)
    #expect(failure?.text.contains(words) == true, "\(failure?.text ?? "")")
  }

  @Test func `no damage to a scenario file traps its reader`() throws {
    let text = Array(try TextFile.read(#require(Self.shipped.first)).utf8)
    var generator = SeededGenerator(seed: 11)
    for _ in 0..<300 {
      var damaged = text
      for _ in 0..<Int.random(in: 1...8, using: &generator) {
        let at = Int.random(in: 0..<damaged.count, using: &generator)
        damaged[at] = UInt8.random(in: 0...127, using: &generator)
      }
      _ = try? ScenarioReader.read(String(decoding: damaged, as: UTF8.self), path: "damaged")
    }
  }

  @Test func `a bound is met at the bound`() {
    #expect(ScenarioExpectation("battery", "<= 40").isMet(by: "40"))
    #expect(!ScenarioExpectation("battery", "<=40").isMet(by: "41"))
    #expect(ScenarioExpectation("battery", ">=40").isMet(by: "40.5"))
    #expect(!ScenarioExpectation("battery", ">=40").isMet(by: "unknown"))
  }
}
