import FobBase
import Foundation
import TestSupport
import Testing

/// Real processes on a machine that fails; all of it is tried by `make soak-10`.
@Suite(.serialized) struct SystemFaultTests {
  @Test func `whatever the machine does, no press is lost, doubled or untold, and fob says why`()
    throws
  {
    let (code, output) = try run(RunningFob.binary, ["--sample"])
    #expect(code == 0, "\(output)")
  }

  /// A bridge that forgets all at each start.
  @Test func `a planted loss is found`() throws {
    let scratch = try ScratchDirectory()
    let forgetful = scratch.path("forgetful")
    let script = """
      #!/bin/sh
      if [ "$1" = bridge ]; then rm -rf "$5"; fi
      exec '\(RunningFob.binary)' "$@"

      """
    try Data(script.utf8).write(to: URL(fileURLWithPath: forgetful))
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: forgetful)
    let (code, output) = try run(
      forgetful, ["--only", "kill/bridge/press/again/commit/fdatasync/1"])
    #expect(code == 1 && output.contains("LOST: kill/bridge/press/again"), "\(output)")
  }

  private func run(_ fob: String, _ options: [String]) throws -> (Int32, String) {
    let scratch = try ScratchDirectory()
    let script = try RunningExample(
      Repository.root.path + "/scripts/system-faults.py", [fob] + options, in: scratch)
    return (try script.awaitEnd(within: .seconds(300)), script.output)
  }
}
