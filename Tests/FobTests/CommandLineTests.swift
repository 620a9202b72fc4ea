import Bridge
import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

@Suite struct CommandLineTests {
  @Test func `fob run without a terminal plays the demo, prints the stages and ends with 0`() throws
  {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(["run"], in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd() == 0)
    for promise in [
      "linked", "incident opened", "is durable", "shows accepted", "EMERGENCY_ENDED", "all clear",
      "debounce", "decided → on disk", "press → light says accepted",
    ] {
      #expect(fob.output.contains(promise), "no '\(promise)' in:\n\(fob.output)")
    }
    #expect(!fob.output.contains("not seen"), "a stage was not measured:\n\(fob.output)")
  }

  @Test func `with --json every line of fob run is one JSON object`() throws {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(["run", "--json"], in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd() == 0)
    let lines = fob.output.split(separator: "\n")
    #expect(lines.count > 10)
    for line in lines {
      #expect(
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) is [String: Any], "\(line)")
    }
  }

  @Test func `Ctrl-C ends a bridge in under a second, and its open alarm is open again afterwards`()
    throws
  {
    let two = try TwoProcesses()
    let event = try two.press()
    try two.awaitAck(event)
    // Other tests share the machine: the quickest of three counts.
    var quickest = Interval.seconds(60)
    for _ in 1...3 {
      let before = BootClock.now()
      two.bridge.interrupt()
      #expect(two.bridge.awaitEnd() == 0)
      quickest = min(quickest, BootClock.now() - before)
      try two.startBridge()
    }
    #expect(quickest < .seconds(1))
    #expect(try two.isOpen)
    #expect(try two.presses().map(\.event) == [event])
    try two.clear()
  }

  @Test(arguments: [
    (["bridge", "--match", "1209"], 64, "the product id is missing"),
    (["bridge", "--device", "carrier-pigeon"], 64, "carrier-pigeon"),
    (["run", "--countdown", "-1"], 64, "--countdown"),
    (["run", "--set-up", "--demo"], 64, "--set-up"),
    (["run", "--set-up", "--pin", "-"], 64, "--set-up"),
    (["bridge", "--pin", "4711"], 64, "--pin-file FILE"),
    (["core", "--bench", "--pin=4711"], 64, "--pin-file FILE"),
    (["ctl", "disarm", "--pin", "4711"], 64, "--pin-file FILE"),
    (["ctl", "disarm", "--pin", "-", "--pin-file", "x"], 64, "give one of them"),
    (["ctl", "disarm", "--pin-file", "/nonexistent"], 66, "/nonexistent"),
    (["bridge", "--pin", "-"], 66, "standard input: its first line is no PIN"),
    (["run", "--profile", "guarded", "--slots", "1"], 64, "--slots"),
    (["conform", "carrier-pigeon"], 64, "carrier-pigeon"),
    (["conform", "memory:", "--break-resets"], 64, "--break-resets"),
    (["flash", "toaster"], 64, "microbit-v2"),
    (["flash", "microbit", "--seconds", "0"], 64, "--seconds takes 1 to 600"),
    (["flash", "microbit", "--device", "tcp:127.0.0.1:1"], 64, "serial:PATH or pty:PATH"),
    (["flash", "microbit", "--image", "/nonexistent.hex"], 66, "/nonexistent.hex"),
    (["run", "--gps", "/nonexistent.log"], 66, "/nonexistent.log"),
    (["ctl", "press", "--socket", "/nonexistent/socket"], 69, "--socket"),
    (["ctl"], 64, "fob ctl --help"),
    (["ctl", "nonsense"], 64, "nonsense"),
    (["ctl", "press", "again"], 64, "again"),
    (["ctl", "press", "--hold", "500"], 64, "--hold-ms"),
    (["ctl", "press", "--hold-ms", "long"], 64, "Milliseconds that it is held, 1 to 600000"),
    (["ctl", "press", "--timeout", "0"], 64, "--timeout takes up to 86400 seconds"),
    (["ctl", "sag", "--mv", "1500"], 64, "--ms"),
    (["ctl", "fault", "--kind", "rain"], 64, "split"),
    (["ctl", "fault", "--kind", "drop", "--rate", "nan"], 64, "--rate takes 0 to 1"),
    (["ctl", "wait"], 64, "<goal>"),
    (["ctl", "wait", "soon"], 64, "'ready', 'linked' or 'acked'"),
    (["ctl", "status", "--serial", "1"], 64, "--serial"),
    (["ctl", "--socket", "/none", "--timeout", "0.05", "wait", "ready"], 75, "/none"),
    (
      ["ctl", "wait", "ready", "--socket", "/nonexistent", "--timeout", "0.05"], 75, "/nonexistent"
    ),
    (["frobnicate"], 64, "frobnicate"),
  ])
  func `an error names the thing and ends with the code of the table`(
    arguments: [String], code: Int32, words: String
  ) throws {
    let fob = try RunningFob(arguments, in: ScratchDirectory(), awaitsReady: false)
    #expect(fob.awaitEnd() == code, "\(fob.output)")
    #expect(fob.output.contains(words), "\(fob.output)")
  }

  @Test(arguments: [
    [], ["run"], ["emulate"], ["bridge"], ["ctl"], ["ctl", "press"], ["attach"], ["detach"],
    ["doctor"], ["flash"],
  ])
  func `every command has a help`(command: [String]) throws {
    let fob = try RunningFob(command + ["--help"], in: ScratchDirectory(), awaitsReady: false)
    #expect(fob.awaitEnd() == 0)
    #expect(fob.output.contains("OVERVIEW:"))
    #expect(fob.output.contains("USAGE: fob"))
  }

  @Test func `a bridge with nothing plugged in says once what to do next`() throws {
    let scratch = try ScratchDirectory()
    let bridge = try RunningFob(
      ["bridge", "--state", scratch.path("state"), "--control", scratch.path("bridge.sock")],
      in: scratch)
    bridge.interrupt()
    #expect(bridge.awaitEnd() == 0)
    let guides = bridge.output.split(separator: "\n").filter {
      $0.contains("no keychain is plugged")
    }
    #expect(guides.count == 1, "\(bridge.output)")
    for way in ["fob devices", "fob emulate", "docs/tutorials/first-alarm.md"] {
      #expect(guides.first?.contains(way) == true, "\(bridge.output)")
    }
  }

  @Test func `fob ctl lists its requests in two groups`() throws {
    let fob = try RunningFob(["ctl", "--help"], in: ScratchDirectory(), awaitsReady: false)
    #expect(fob.awaitEnd() == 0)
    let parts = fob.output.split(separator: "SUBCOMMANDS:")
    try #require(parts.count == 3, "\(fob.output)")
    for request in ["press", "press_every", "watch"] { #expect(parts[1].contains("  \(request) ")) }
    for request in BridgeControl.requests { #expect(parts[2].contains("  \(request) ")) }
  }

  @Test(arguments: ["bash", "zsh", "fish"])
  func `a shell completes the commands`(shell: String) throws {
    let fob = try RunningFob(
      ["--generate-completion-script", shell], in: ScratchDirectory(), awaitsReady: false)
    #expect(fob.awaitEnd() == 0)
    #expect(fob.output.contains("emulate"))
  }

  @Test func `a second bridge on the same state folder is refused and told who has it`() throws {
    let two = try TwoProcesses()
    let second = try RunningFob(
      [
        "bridge", "--device", "pty:" + two.scratch.path("keychain"), "--state",
        two.scratch.path("state"), "--control", two.scratch.path("second.sock"),
      ], in: two.scratch, awaitsReady: false)
    #expect(second.awaitEnd() == 66)
    #expect(second.output.contains("process \(two.bridge.pid)"))
  }
}
