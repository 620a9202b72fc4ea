import FobBase
import Foundation
import TestSupport
import Testing

/// What comes and goes leaves nothing behind in a process that runs for months.
@Suite struct LeakTests {
  /// Rounds, not minutes: a busy machine takes longer for them.
  @Test func `alarms, plugs and clients of every kind leave no descriptor, thread or memory`()
    throws
  {
    let scratch = try ScratchDirectory()
    let script = try RunningExample(
      Repository.root.path + "/scripts/leaks.py", [RunningFob.binary, "--rounds", "25"],
      in: scratch)
    #expect(try script.awaitEnd(within: .seconds(120)) == 0, "\(script.output)")
  }
}
