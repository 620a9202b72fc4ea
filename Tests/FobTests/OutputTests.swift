import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// What a command writes, and what it leaves as it was.
@Suite struct OutputTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  /// Every option that names a file to write. The capture of `conform --out` is written likewise.
  static let outputs: [[String]] = [
    ["state", "export", "--state", "STATE", "FILE"],
    ["monitor", "--socket", "/nonexistent", "--write", "FILE"],
    ["conform", "memory:", "--case", "protocol/vector-streams", "--save", "FILE"],
    ["conform", "memory:", "--case", "protocol/vector-streams", "--junit", "FILE"],
    ["bench", "latency", "--duration", "0.1", "--warm-up", "0", "--save", "FILE"],
    ["bench", "latency", "--duration", "0.1", "--warm-up", "0", "--histogram", "FILE"],
    ["bench", "latency", "--duration", "0.1", "--warm-up", "0", "--report", "FILE"],
  ]

  private func run(_ command: [String], file: String, through: [String] = []) throws -> RunningFob {
    let words = command.map {
      ["FILE": file, "STATE": scratch.path("state")][$0] ?? $0
    }
    let fob = try RunningFob(words, in: scratch, awaitsReady: false, through: through)
    fob.awaitEnd(within: .seconds(120))
    return fob
  }

  @Test(arguments: outputs)
  func `no pipe, socket, folder, link or device is written or replaced`(
    command: [String]
  ) throws {
    let kept = scratch.path("kept")
    try Data("as it was".utf8).write(to: URL(filePath: kept))
    #expect(symlink(kept, scratch.path("link")) == 0 && mkfifo(scratch.path("pipe"), 0o600) == 0)
    #expect(mkdir(scratch.path("folder"), 0o700) == 0)
    let socket = try UnixListener(path: scratch.path("socket"))
    let places = [
      (scratch.path("link"), "a link", FileAttributeType.typeSymbolicLink),
      (scratch.path("pipe"), "a pipe", .typeUnknown),
      (scratch.path("folder"), "a folder", .typeDirectory), (socket.path, "a socket", .typeSocket),
      ("/dev/full", "a device", .typeCharacterSpecial),
    ]
    for (path, words, kind) in places {
      let fob = try run(command, file: path)
      #expect(fob.awaitEnd() == 66, "\(fob.output)")
      #expect(fob.output.contains("cannot write \(path): it is \(words)"), "\(fob.output)")
      #expect(fob.output.contains("- for standard output"), "\(fob.output)")
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.type] as? FileAttributeType == kind)
    }
    #expect(try String(contentsOfFile: kept, encoding: .utf8) == "as it was")
    extendLifetime(socket)
  }

  @Test(arguments: [outputs[2], outputs[3], outputs[5]])
  func `a regular file is replaced whole, and - is standard output with nothing else on it`(
    command: [String]
  ) throws {
    let file = scratch.path("file")
    try Data("old".utf8).write(to: URL(filePath: file))
    let patient = command[0] == "bench" ? ["--max-pacing-error", "1000000"] : []
    let fob = try run(command + patient, file: file)
    #expect(fob.awaitEnd() == 0, "\(fob.output)")
    let written = try String(contentsOfFile: file, encoding: .utf8)
    #expect(!written.contains("old") && !written.isEmpty)
    let piped = try run(command + patient, file: "-", through: Self.shell("2>/dev/null"))
    #expect(piped.awaitEnd() == 0)
    #expect(piped.output.prefix(12) == written.prefix(12) && !piped.output.isEmpty)
    let left = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
    #expect(!left.contains { $0.hasSuffix(".part") }, "\(left)")
  }

  @Test(arguments: [
    ["--help"], ["--version"], ["ctl", "press", "--help"], ["run"], ["run", "--json"], ["devices"],
    ["devices", "--json"], ["doctor"], ["doctor", "--json"], ["conform", "--list"],
    ["conform", "memory:", "--case", "protocol/vector-streams"],
    ["conform", "memory:", "--case", "protocol/vector-streams", "--json"],
    ["conform", "memory:", "--case", "protocol/vector-streams", "--junit", "-"],
    ["simulate", "--seed", "1"], ["bench", "start", "--runs", "1"],
    ["bench", "debounce", "--count", "1"],
    ["token", "create", "--scope", "observe"], ["token", "list"],
    ["--generate-completion-script", "bash"],
  ])
  func `a full disk behind standard output ends every command with 74`(
    command: [String]
  ) throws {
    _ = try run(["token", "create", "--scope", "observe"], file: "")
    let fob = try run(command, file: "", through: Self.shell(">/dev/full"))
    let isIll = fob.awaitEnd() == 1 && command[0] == "doctor"
    #expect(fob.awaitEnd() == 74 || isIll, "\(fob.output)")
    #expect(
      isIll || fob.output.contains("cannot write standard output: No space left"), "\(fob.output)")
  }

  @Test func `a bridge, a keychain and their questions end with 74 on a full disk, too`() throws {
    let two = try TwoProcesses()
    let full = Self.shell(">/dev/full")
    for command in [
      ["state", "export", "--state", two.scratch.path("state")],
      ["state", "check", "--state", two.scratch.path("state")],
      ["ctl", "state", "--socket", two.scratch.path("keychain.sock")],
      ["ctl", "status", "--socket", two.scratch.path("bridge.sock")],
      ["ctl", "watch", "--leds", "--socket", two.scratch.path("keychain.sock")],
      ["monitor", "--socket", two.scratch.path("keychain.sock"), "--seconds", "1"],
      ["monitor", "--socket", two.scratch.path("keychain.sock"), "--seconds", "1", "--json"],
      ["monitor", "--socket", two.scratch.path("keychain.sock"), "--seconds", "1", "--write", "-"],
    ] {
      let fob = try RunningFob(command, in: scratch, awaitsReady: false, through: full)
      if command[1] == "watch" { try two.awaitAck(two.press()) }
      #expect(fob.awaitEnd() == 74, "\(command): \(fob.output)")
    }
    try two.clear()
  }

  @Test func `a stream whose reader has left ends with 74, and does not go on unread`() throws {
    let two = try TwoProcesses()
    let watch = try RunningFob(
      ["ctl", "watch", "--socket", two.scratch.path("keychain.sock")], in: scratch,
      awaitsReady: false,
      through: ["/bin/sh", "-c", "{ \"$0\" \"$@\"; echo \"ended $?\" >&2; } | true"])
    // Each press is a line: the first that finds nobody ends it.
    var presses = 0
    while !watch.output.contains("ended"), presses < 100 {
      try two.awaitAck(two.press())
      presses += 1
    }
    try watch.awaitOutput("ended 74", "cannot write standard output: Broken pipe")
    watch.awaitEnd()
    try two.clear()
  }

  @Test(arguments: [
    ["devices"], ["doctor"], ["bench", "start", "--runs", "1"], ["run"],
    ["conform", "memory:", "--case", "protocol/vector-streams"],
    ["bench", "latency", "--duration", "0.2", "--max-pacing-error", "1000000", "--warm-up", "0"],
    ["bench", "recovery", "--repetitions", "1"], ["bench", "debounce", "--count", "1"],
    ["bench", "load", "--keychains", "1", "--seconds", "0.5", "--limit", "60000"],
  ])
  func `--json takes no value and prints objects alone, each in one line, at every command`(
    command: [String]
  ) throws {
    let fob = try run(command + ["--json"], file: "", through: Self.shell("2>/dev/null"))
    let lines = fob.output.split(separator: "\n")
    #expect(!lines.isEmpty)
    for line in lines {
      #expect(
        (try? JSONSerialization.jsonObject(with: Data(line.utf8))) is [String: Any], "\(line)")
    }
    // One that answers once has one line.
    #expect(lines.count == 1 || command == ["run"])
  }

  @Test func `standard output takes one thing`() throws {
    let fob = try run(["conform", "memory:", "--json", "--junit", "-"], file: "")
    #expect(fob.awaitEnd() == 64)
    #expect(fob.output.contains("standard output takes one thing only"), "\(fob.output)")
  }

  /// A shell that becomes the program, with this redirection.
  private static func shell(_ redirection: String) -> [String] {
    ["/bin/sh", "-c", "exec \"$0\" \"$@\" \(redirection)"]
  }
}
