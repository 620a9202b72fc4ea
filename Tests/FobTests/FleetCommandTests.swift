import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing

/// `fob emulate --count` and `fob bridge` with many devices, as processes.
@Suite struct FleetCommandTests {
  @Test(arguments: ["unix:SCRATCH/{n}.sock", "tcp:127.0.0.1:0"])
  func `many keychains of one process press into one bridge, real processes`(on: String) throws {
    let scratch = try ScratchDirectory()
    let on = on.replacing("SCRATCH", with: scratch.path)
    let fleet = try RunningFob(
      [
        "emulate", "--count", "5", "--on", on, "--serial", "0x29", "--store",
        scratch.path("{n}.store"), "--control", scratch.path("keychains.sock"),
      ], in: scratch)
    let devices = fleet.output.split(separator: "\n").compactMap { line in
      line.split(separator: " on ").last.map(String.init)
    }
    #expect(devices.count == 5)
    let bridge = try RunningFob(
      ["bridge", "--device"] + devices + [
        "--state", scratch.path("state"), "--control", scratch.path("bridge.sock"),
      ], in: scratch)
    let keychains = try Talk(scratch.path("keychains.sock"))
    try keychains.must(["do": "wait", "for": "linked", "all": true])
    let answer = try keychains.must(["do": "press", "all": true])
    #expect((answer["keychains"] as? [[String: Any]])?.count == 5)
    for serial in 41...45 {
      try keychains.must(["do": "wait", "for": "acked", "event": "1.2", "serial": serial])
    }
    let presses = try Talk(scratch.path("bridge.sock")).must(["do": "presses"])
    let rows = try #require(presses["rows"] as? [[String: Any]])
    #expect(
      Set(rows.compactMap { $0["device"] as? String })
        == ["29", "2a", "2b", "2c", "2d"].reduce(into: []) { $0.insert("80000000000000\($1)") })
    #expect(FileManager.default.fileExists(atPath: scratch.path("5.store")))
    bridge.interrupt()
    fleet.interrupt()
    #expect(bridge.awaitEnd() == 0)
    #expect(fleet.awaitEnd() == 0)
    #expect(!FileManager.default.fileExists(atPath: scratch.path("1.sock")))
  }

  /// Pressed before any host is there.
  @Test func `with an owner each a press before the first link is its owner's, real processes`()
    throws
  {
    let scratch = try ScratchDirectory()
    let fleet = try RunningFob(
      [
        "emulate", "--count", "3", "--on", "unix:" + scratch.path("{n}.sock"), "--serial", "0x601",
        "--control", scratch.path("keychains.sock"), "--no-gps",
      ], in: scratch)
    let keychains = try Talk(scratch.path("keychains.sock"))
    try keychains.must(["do": "press", "all": true])
    let bridge = try RunningFob(
      ["bridge", "--device"] + (1...3).map { "unix:" + scratch.path("\($0).sock") } + [
        "--state", scratch.path("state"), "--control", scratch.path("bridge.sock"), "--log",
        scratch.path("alerts.jsonl"), "--owners", "each",
      ], in: scratch)
    let talk = try Talk(scratch.path("bridge.sock"))
    let deadline = BootClock.now() + .seconds(60)
    while try (2...4).contains(where: {
      try talk.ask(["do": "presses", "account": $0])["rows"].map { ($0 as? [Any])?.count } != 1
    }) {
      try #require(BootClock.now() < deadline, "not so in 60 s: \(bridge.output)")
      usleep(5_000)
    }
    #expect((try talk.must(["do": "presses"])["rows"] as? [Any])?.isEmpty == true)
    bridge.interrupt()
    fleet.interrupt()
    #expect(bridge.awaitEnd() == 0 && fleet.awaitEnd() == 0)
    let alerts = try String(contentsOfFile: scratch.path("alerts.jsonl"), encoding: .utf8)
    #expect(!alerts.contains("Contact 1") && !alerts.contains("Contact 2"), "\(alerts)")
  }

  @Test func `a keychain told to press by itself does, real processes`() throws {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(
      [
        "emulate", "--on", "unix:" + scratch.path("line"), "--press-every", "0.05", "--seed", "9",
        "--control", scratch.path("control"), "--no-gps",
      ], in: scratch)
    let talk = try Talk(scratch.path("control"))
    let deadline = BootClock.now() + .seconds(20)
    while try talk.must(["do": "state"])["unacked"] as? Int ?? 0 < 6 {
      try #require(BootClock.now() < deadline, "it does not press")
    }
    fob.interrupt()
    #expect(fob.awaitEnd() == 0)
  }

  @Test(arguments: [
    (["--count", "2", "--on", "unix:/tmp/x"], "put {n} where the number of each goes"),
    (["--count", "2", "--store", "/tmp/x"], "--store /tmp/fob-{n}.store"),
    (["--count", "2", "--link", "/tmp/x"], "put {n} where the number of each goes"),
    (["--count", "0"], "--count takes 1 to 1024"),
    (["--count", "2", "--on", "tcp:127.0.0.1:65535"], "would end beyond 65535"),
    (["--count", "2", "--serial", "4294967295"], "would end beyond 2^32"),
    (["--serial", "0x1g"], "decimal, or 0x and hexadecimal"),
    (["--serial", "0x100000000"], "decimal, or 0x and hexadecimal"),
    (["--on", "tcp:127.0.0.1"], "the port is missing"),
    (["--on", "unix:/tmp/x", "--link", "/tmp/y"], "give one of them"),
    (["--press-every", "0"], "--press-every takes"),
    (["--on", "serial:/dev/null"], "it is not a terminal"),
  ])
  func `a fleet that cannot be is refused with a hint`(
    options: [String], words: String
  ) throws {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(
      ["emulate", "--control", scratch.path("c")] + options, in: scratch, awaitsReady: false)
    let code = fob.awaitEnd()
    #expect(code == 64 || code == 66, "\(fob.output)")
    // The terminal's width decides where lines are broken.
    let output = fob.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(output.contains(words), "\(output)")
  }
}
