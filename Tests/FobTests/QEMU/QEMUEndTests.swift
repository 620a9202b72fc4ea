import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// `fob emulate --board qemu` as a process: what it refuses, and that its QEMU never outlives it.
@Suite(.serialized) struct QEMUEndTests {
  @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
  func `no QEMU is left when fob emulate ends by a signal, real processes`(signal: Int32) throws {
    let scratch = try ScratchDirectory()
    let keychain = try QEMUKeychain(in: scratch)
    let machine = try keychain.machine()
    #expect(QEMUKeychain.isRunning(machine))
    kill(keychain.process.pid, signal)
    #expect(keychain.process.awaitEnd() == (signal == SIGKILL ? 128 + SIGKILL : 0))
    let deadline = BootClock.now() + .seconds(10)
    while QEMUKeychain.isRunning(machine) {
      try #require(BootClock.now() < deadline, "QEMU \(machine) still runs")
      usleep(1_000)
    }
    if signal != SIGKILL {
      #expect(!FileManager.default.fileExists(atPath: scratch.path("keychain.sock")))
    }
  }

  @Test func `a QEMU that dies is told, and a reset starts the board again, real processes`() throws
  {
    let scratch = try ScratchDirectory()
    let keychain = try QEMUKeychain(in: scratch)
    let events = try Talk(scratch.path("keychain.sock"))
    try events.begin(["do": "subscribe"])
    #expect(events.answer()?["ok"] as? Bool == true)
    // So that this boot is counted.
    #expect(try keychain.talk.must(["do": "press"])["event"] as? String == "1.2")
    let machine = try keychain.machine()
    kill(machine, SIGKILL)
    var death: [String: Any]?
    while death == nil {
      let event = try #require(events.answer())
      if event["name"] as? String == "died" { death = event }
    }
    #expect((death?["reason"] as? String)?.contains("ended by signal 9") == true)
    #expect(try keychain.talk.must(["do": "state"])["powered"] as? Bool == false)
    try keychain.talk.must(["do": "reset"])
    let event = try keychain.talk.must(["do": "press"])["event"] as? String
    // The kill may have come with the button down, which the second boot tells first.
    #expect(event?.hasPrefix("2.") == true, "\(event ?? "none"): \(keychain.process.output)")
    #expect(try keychain.machine() != machine)
    #expect(keychain.process.output.contains("fob ctl reset starts it again"))
  }

  @Test(arguments: [
    (["--firmware", "/no/such.elf"], "--firmware is what QEMU runs"),
    (["--board", "qemu", "--drift-ppm", "5"], "the clock of a board in QEMU does not drift"),
    (["--board", "qemu", "--firmware", "/no/such.elf"], "build it with make firmware"),
    (["--board", "microbit", "--firmware", "/no/such.elf"], "make firmware BOARD=microbit"),
    (["--board", "toaster"], "simulated"),
  ])
  func `a board that cannot be is refused with a hint`(
    options: [String], words: String
  ) throws {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(
      ["emulate", "--control", scratch.path("c"), "--link", scratch.path("k")] + options,
      in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd() != 0)
    #expect(fob.output.contains(words), "\(fob.output)")
  }

  @Test func `without QEMU the error names the package, real processes`() throws {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(
      [
        "emulate", "--board", "qemu", "--firmware", "/dev/null", "--control", scratch.path("c"),
        "--link", scratch.path("k"),
      ], in: scratch, awaitsReady: false, environment: ["PATH": scratch.path])
    #expect(fob.awaitEnd() != 0)
    #expect(fob.output.contains("apt-get install qemu-system-arm"), "\(fob.output)")
  }

  @Test func `two keychains of one process run in two QEMUs, real processes`() throws {
    let scratch = try ScratchDirectory()
    let fleet = try RunningFob(
      [
        "emulate", "--board", "qemu", "--firmware", try BoardFirmware.keychain.path(), "--count",
        "2",
        "--serial", "41", "--on", "unix:" + scratch.path("{n}.sock"), "--control",
        scratch.path("keychains.sock"),
      ], in: scratch)
    let answer = try Talk(scratch.path("keychains.sock")).must(["do": "press", "all": true])
    let lines = try #require(answer["keychains"] as? [[String: Any]])
    #expect(lines.map { $0["serial"] as? Int } == [41, 42])
    #expect(lines.allSatisfy { $0["event"] as? String == "1.2" })
    fleet.interrupt()
    #expect(fleet.awaitEnd() == 0)
  }
}
