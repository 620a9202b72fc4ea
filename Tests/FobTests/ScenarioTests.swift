import FobBase
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

  @Test func `several files are played, and JUnit tells each step of each`() throws {
    let scratch = try ScratchDirectory()
    let (good, bad) = (scratch.path("good.yaml"), scratch.path("bad.yaml"))
    let junit = scratch.path("report.xml")
    try Data("name: A & B\nsteps:\n- press\n- expect: {presses: 1}\n".utf8)
      .write(to: URL(filePath: good))
    try Data("steps:\n- expect: {presses: 1, within: 50ms}\n- press\n".utf8)
      .write(to: URL(filePath: bad))
    let fob = try RunningFob(
      ["run", "--scenario", bad, good, "--junit", junit], in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd(within: .seconds(60)) == 1, "\(fob.output)")
    #expect(fob.output.contains("PASS A & B") && fob.output.contains("1 of 2 scenarios failed"))
    let xml = try String(contentsOfFile: junit, encoding: .utf8)
    #expect(
      xml.contains(#"<testsuite name="A &amp; B""#) && xml.contains(#"tests="3" failures="0""#))
    #expect(xml.contains(#"tests="3" failures="1" errors="0" skipped="2""#), "\(xml)")
    #expect(xml.contains(#"<failure message="presses is 0""#), "\(xml)")
  }

  @Test func `--check reads every file, tells each that is wrong, and plays none`() throws {
    let scratch = try ScratchDirectory()
    let wrong = [
      ("word.yaml", "steps:\n- pres\n", "word.yaml, line 2: 'pres' is no step"),
      ("field.yaml", "steps:\n- press: {hold_ms: 0}\n", "field.yaml, line 2: \"hold_ms\" must be"),
      ("bench.yaml", "bench: {battery: 101}\nsteps: [press]\n", "0 to 100"),
    ]
    for (name, text, _) in wrong {
      try Data(text.utf8).write(to: URL(filePath: scratch.path(name)))
    }
    let good = try RunningFob(
      ["run", "--check", "--scenario"] + Self.shipped, in: scratch, awaitsReady: false)
    #expect(good.awaitEnd() == 0, "\(good.output)")
    #expect(good.output.split(separator: "\n").count == Self.shipped.count)
    #expect(!good.output.contains("bench"), "nothing is played")
    let fob = try RunningFob(
      ["run", "--check", "--scenario"] + wrong.map { scratch.path($0.0) } + Self.shipped,
      in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd() == 64, "\(fob.output)")
    for (_, _, words) in wrong { #expect(fob.output.contains(words), "\(fob.output)") }
    #expect(fob.output.contains("3 of \(3 + Self.shipped.count) scenarios cannot be played"))
    let json = try RunningFob(
      ["run", "--check", "--json", "--scenario", scratch.path("word.yaml")], in: scratch,
      awaitsReady: false)
    #expect(json.awaitEnd() == 64)
    #expect(json.output.contains(#""ok":false"#) && json.output.contains(#""type":"checked""#))
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
    ("steps:\n  - never: {happening: incidentOpend, for: 1s}", "line 2: happening is one of event"),
    ("steps:\n  - never: {keychain: pressd, for: 1s}", "line 2: keychain is one of booted"),
    ("steps:\n  - never: {keychain: light, for: 1s}", "line 2: keychain is one of booted"),
    ("steps:\n  - never: {light: sendin, for: 1s}", "line 2: light is one of unclaimed"),
    ("steps:\n  - wait: {alarm: EMERGENCY}", "line 2: alarm is one of NO_EMERGENCY"),
    (
      "steps:\n  - never:\n      happening: delivered\n      fro: 1s\n      for: 1s",
      "line 4: 'fro'"
    ),
    ("steps:\n  - wait: {happening: delivered, wihin: 1s}", "'wihin' is no field of happening"),
    (
      "steps:\n  - never: {light: idle, for: 1s, within: 1s}",
      "may have for, device, light, sounder"
    ),
    ("steps:\n  - never: {keychain: acked, event: lst, for: 1s}", "event is last, or"),
    ("steps:\n  - never: {happening: delivered, device: 12, for: 1s}", "sixteen hexadecimal"),
    ("steps:\n  - never: {keychain: booted, cause: powerCut, for: 1s}", "cause is one of unknown"),
    ("steps:\n  - never: {keychain: battery, percent: 40 %, for: 1s}", "a whole number"),
    ("steps:\n  - wait: {light: idle, keychain: acked}", "are of different events"),
    ("steps:\n  - wait: {happening: delivered, alarm: EMERGENCY_SENT}", "only happening: state"),
    (
      "steps:\n  - pres", "line 2: 'pres' is no step; there are wait, never, expect, refused, pause"
    ),
    ("steps:\n  - press\n  - pres: {hold_ms: 300}", "line 3: 'pres' is no step"),
    ("steps:\n  - refused: pres", "line 2: 'pres' is no step"),
    ("steps:\n  - wait", "line 2: wait does not stand alone"),
    ("steps:\n  - series", "line 2: series does not stand alone"),
    ("steps:\n  - series: {colour: red}", "line 2: 'colour' is no member of a series"),
    ("steps:\n  - series: {due: 2m}", "line 2: due is a time ahead, as in in 2m"),
    ("steps:\n  - series: {due: in 2}", "line 2: '2' is no time"),
    ("steps:\n  - series: {time: 24:00}", "line 2: no time of the day: 24:00"),
    ("steps:\n  - series: {rule: {kind: hourly}}", "line 2: "),
    ("steps:\n  - advance: soon", "line 2: 'soon' is no time"),
    ("bench: {protecting: maybe}\nsteps: [press]", "line 1: protecting: true or false"),
  ])
  func `a file that cannot be played is refused with its line`(text: String, words: String) {
    let failure = #expect(throws: Failure.self) {
      try ScenarioReader.read(text, path: "scenario.yaml")
    }
    #expect(failure?.status == .usage)
    #expect(failure?.text.contains(words) == true, "\(failure?.text ?? "")")
  }

  /// Each field that an event may be narrowed by, and each value with more than one spelling.
  @Test(arguments: [
    "happening: stateChanged, alarm: EMERGENCY_SENT", "alarm: NO_EMERGENCY, who: core",
    "happening: delivered, contact: contact-2, sink: log, nextWall: 12, detail: any",
    "happening: incidentOpened, event: last, incident: any, device: f0b0000000000001",
    "light: unknown, sounder: false, device: f0b0000000000001", "light: lowBattery",
    "notice: no longer there, level: warning",
    "keychain: committed, event: \"1.2\", number: 4294967298, kind: pressed",
    "keychain: shown, shown: accepted, detail: 3, sounder: true",
    "keychain: booted, cause: brownOut, boot: 2", "keychain: store_failed",
    "keychain: power_cut, milliseconds: 300", "keychain: battery, percent: 40",
    "keychain: plugged, path: /dev/pts/4", "keychain: trace_lost, lost: 1",
    "keychain: died, reason: any",
  ])
  func `what an event can have may be waited for`(fields: String) throws {
    let text =
      "steps:\n  - wait: {\(fields), times: 2, within: 1s}\n  - never: {\(fields), for: 1s}"
    #expect(try ScenarioReader.read(text, path: "scenario.yaml").steps.count == 2)
  }

  @Test func `every request of keychain and bridge may be a step`() throws {
    let steps = ["subscribe", "press", "disarm", "resume", "status", "state"]
    let text = "steps: [\(steps.joined(separator: ", "))]"
    #expect(try ScenarioReader.read(text, path: "scenario.yaml").steps.count == steps.count)
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
