import Foundation
import TestSupport
import Testing

/// What the Tab key offers, asked of bash with the script that fob makes for it.
@Suite struct CompletionTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  /// - Parameter words: behind `fob`; the last is completed, and may be empty.
  private func offered(_ words: [String]) throws -> [String] {
    let script = scratch.path("fob.bash")
    let made = try RunningFob(
      ["--generate-completion-script", "bash"], in: scratch, awaitsReady: false)
    #expect(made.awaitEnd() == 0)
    try Data(made.output.utf8).write(to: URL(filePath: script))
    let ask = """
      source "$1"; fob=$0; shift; cd "$1"; shift
      COMP_WORDS=("$fob" "$@"); COMP_CWORD=$#; COMP_LINE="${COMP_WORDS[*]}"
      COMP_POINT=${#COMP_LINE}
      _fob "$fob" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let bash = try RunningFob(
      [script, scratch.path] + words, in: scratch, awaitsReady: false,
      through: ["/bin/bash", "-c", ask])
    #expect(bash.awaitEnd() == 0, "\(bash.output)")
    return bash.output.split(separator: "\n").map(String.init)
  }

  @Test func `a verb of fob ctl is completed`() throws {
    let all = try offered(["ctl", ""])
    for verb in ["press", "battery", "watch", "status", "disarm"] { #expect(all.contains(verb)) }
    #expect(try offered(["ctl", "pres"]).sorted() == ["press", "press_every", "presses"])
    #expect(try offered(["ctl", "wait", "l"]) == ["linked"])
  }

  @Test func `a device spec is completed by what runs and by paths`() throws {
    let keychain = try RunningFob(["emulate"], in: scratch)
    defer { keychain.interrupt() }
    let link = scratch.path("runtime/fob/keychain")
    for command in [["bridge", "--device"], ["monitor", "--device"], ["conform"]] {
      #expect(try offered(command + [""]).contains(link), "\(command)")
    }
    try Data().write(to: URL(filePath: scratch.path("board.pty")))
    #expect(try offered(["bridge", "--device", "./boa"]) == ["./board.pty"])
    #expect(
      try offered(["ctl", "press", "--socket", ""]).contains(
        scratch.path("runtime/fob/keychain.sock")))
  }

  @Test func `scenario files are completed, and others are not`() throws {
    for name in ["tunnel.yaml", "press.yml", "notes.txt"] {
      try Data().write(to: URL(filePath: scratch.path(name)))
    }
    let offered = try offered(["run", "--scenario", ""])
    #expect(offered.contains("tunnel.yaml") && offered.contains("press.yml"), "\(offered)")
    #expect(!offered.contains("notes.txt"), "\(offered)")
  }

  @Test func `cases of the conformance suite are completed`() throws {
    #expect(try offered(["conform", "memory:", "--case", "protocol/vector-s"]).count == 1)
  }
}
