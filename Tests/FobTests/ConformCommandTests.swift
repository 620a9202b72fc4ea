import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing

/// `fob conform` as its users call it, on processes of its own.
@Suite struct ConformCommandTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  @Test func `conform memory: passes, and its three reports tell the same, real process`() throws {
    let run = try conform([
      "memory:", "--save", scratch.path("run.json"), "--junit", scratch.path("run.xml"),
    ])
    #expect(run.awaitEnd(within: .seconds(60)) == 0, "\(run.output)")
    let said = try #require(run.output.firstMatch(of: /(\d+) cases on memory:: (\d+) passed, 0/))
    #expect(said.1 == said.2 && Int(said.1)! > 100, "\(run.output.suffix(200))")
    let json = try JSONSerialization.jsonObject(
      with: Data(contentsOf: URL(fileURLWithPath: scratch.path("run.json"))))
    #expect(((json as? [String: Any])?["cases"] as? [Any])?.count == Int(said.1))
    let xml = try String(contentsOfFile: scratch.path("run.xml"), encoding: .utf8)
    #expect(xml.components(separatedBy: "<testcase ").count - 1 == Int(said.1))
  }

  @Test func `runs of chapters on many machines are merged into one, real processes`() throws {
    func run(_ arguments: [String]) throws -> (code: Int32?, output: String) {
      let fob = try conform(arguments)
      return (fob.awaitEnd(within: .seconds(60)), fob.output)
    }
    let parts = [
      ["protocol", "button"], ["led", "battery", "gps"], ["reliability", "time", "seal"],
    ]
    var files: [String] = []
    for chapters in parts {
      files.append(scratch.path("\(chapters[0]).json"))
      let run = try run(
        ["memory:", "--save", files.last!] + chapters.flatMap { ["--chapter", $0] })
      try #require(run.code == 0, "\(run.output)")
    }
    let whole = try run(["--merge"] + files)
    #expect(whole.code == 0, "\(whole.output)")
    #expect(whole.output.contains(/[0-9]+ cases on memory:: [0-9]+ passed, 0 failed/))
    let part = try run(["--merge"] + files.dropLast())
    #expect(part.code == 1 && part.output.contains("in no report: reliability/"), "\(part.output)")
    let wrong = try run(["--merge", files[0], RunningFob.binary])
    #expect(wrong.code == 64, "\(wrong.output)")
  }

  @Test func `conform tells a device that says nothing from one that fails, real process`() throws {
    let terminal = try PseudoTerminal()
    let run = try conform(["pty:\(terminal.slavePath)", "--actuator", "none"])
    #expect(run.awaitEnd(within: .seconds(60)) == 75, "\(run.output)")
    extendLifetime(terminal)
  }

  @Test func `conform passes on a pty, all of it in a soak, real processes`() throws {
    let link = scratch.path("keychain")
    let socket = scratch.path("keychain.sock")
    let keychain = try RunningFob(["emulate", "--link", link, "--control", socket], in: scratch)
    defer { keychain.interrupt() }
    try expectPass(
      ["pty:\(link)", "--actuator", "control:\(socket)"]
        // Beside other programs this machine may be late by seconds.
        + (Soak.isOn ? [] : ["--chapter", "time", "--slack", "2000"]))
  }

  @Test func `a keychain that is paired is refused before a case runs, real processes`() throws {
    let label = scratch.path("label")
    let made = try RunningFob(
      ["keys", "label", "--new", "8000000000000001", label], in: scratch, awaitsReady: false)
    #expect(made.awaitEnd() == 0)
    let keychain = try RunningFob(
      ["emulate", "--link", scratch.path("keychain"), "--key", label], in: scratch)
    defer { keychain.interrupt() }
    for forget in [[], ["--forget"]] {
      let run = try conform(["pty:" + scratch.path("keychain")] + forget)
      #expect(run.awaitEnd(within: .seconds(60)) == 77, "\(run.output)")
      #expect(run.output.contains("is paired with its core"))
      #expect(run.output.contains("fob ctl unpair"))
      #expect(!run.output.contains("FAILED") && !run.output.contains("cases on"))
    }
  }

  @Test func `where nobody answers a prompt nothing is said of the keychain, real processes`()
    throws
  {
    let link = scratch.path("keychain")
    let keychain = try RunningFob(["emulate", "--link", link], in: scratch)
    defer { keychain.interrupt() }
    let press = ["pty:\(link)", "--actuator", "prompt", "--case", "button/press-release"]
    let alone = try conform(press)
    #expect(alone.awaitEnd(within: .seconds(60)) == 1)
    #expect(alone.output.contains("not tested: button/press-release: nobody answered a prompt"))
    #expect(alone.output.contains("no case could be tested"), "\(alone.output)")
    let beside = try conform(press + ["--case", "protocol/hello-answered", "--slack", "2000"])
    #expect(beside.awaitEnd(within: .seconds(60)) == 0, "\(beside.output)")
    #expect(beside.output.contains("1 passed, 0 failed, 1 NOT TESTED"), "\(beside.output)")
  }

  @Test func `a line that is not there is said, with what lists those that are, real process`()
    throws
  {
    let run = try conform(["pty:" + scratch.path("keychain")])
    #expect(run.awaitEnd(within: .seconds(60)) == 66)
    #expect(run.output.contains("No such file or directory; fob devices lists"), "\(run.output)")
  }

  /// The other end of a pty sees no BREAK: that is said, and the case finds that nothing was reset.
  @Test func `with --break-resets a case of a reboot is run without an actuator, real processes`()
    throws
  {
    let link = scratch.path("keychain")
    let keychain = try RunningFob(["emulate", "--link", link], in: scratch)
    defer { keychain.interrupt() }
    let arguments = [
      "pty:\(link)", "--actuator", "none", "--case", "reliability/booted", "--quick",
    ]
    let plain = try conform(arguments)
    #expect(plain.awaitEnd(within: .seconds(60)) == 1)
    #expect(plain.output.contains("nothing here can reset the device"), "\(plain.output)")
    #expect(!plain.output.contains("BREAK"))
    let run = try conform(arguments + ["--break-resets"])
    #expect(run.awaitEnd(within: .seconds(60)) == 1)
    #expect(run.output.contains("a pty carries no BREAK: cases of reboots will fail"))
    #expect(run.output.contains("the unasked HELLO of a boot did not come within 5000 ms;"))
    #expect(run.output.contains("1 failed"), "\(run.output)")
    #expect(run.output.contains(" --break-resets"), "a repetition has it, too: \(run.output)")
  }

  @Test func `the emulator of a line is found by a path from here, too, real processes`() throws {
    let here = ["/usr/bin/env", "-C", scratch.path]
    let keychain = try RunningFob(["emulate", "--link", "keychain"], in: scratch, through: here)
    defer { keychain.interrupt() }
    let arguments = ["pty:./keychain", "--case", "button/press-release", "--slack", "2000"]
    let run = try RunningFob(
      ["conform"] + arguments, in: scratch, awaitsReady: false, through: here)
    #expect(run.awaitEnd(within: .seconds(60)) == 0, "\(run.output)")
    #expect(run.output.contains("the emulator's control socket is"))
  }

  /// A case may be not tested, where its reason is told; none may fail.
  private func expectPass(_ arguments: [String]) throws {
    try Self.expectPass(conform(arguments))
  }

  static func expectPass(_ run: RunningFob) throws {
    let code = run.awaitEnd(within: Soak.isOn ? .seconds(1_200) : .seconds(240))
    #expect(code == 0, "\(run.output.suffix(3_000))")
    let said = try #require(run.output.firstMatch(of: /(\d+) cases on .*: (\d+) passed, 0 failed/))
    #expect(Int(said.2)! > 5)
    print(run.output.split(separator: "\n").suffix(2).joined(separator: "\n"))
  }

  private func conform(_ arguments: [String]) throws -> RunningFob {
    try RunningFob(["conform"] + arguments, in: scratch, awaitsReady: false)
  }
}
