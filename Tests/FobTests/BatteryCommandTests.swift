import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// What everybody is told of a charge that was set.
@Suite struct BatteryCommandTests {
  @Test(arguments: [14, 1, 5, 19])
  func `a charge that is set is shown by keychain, bridge and devices alike`(
    percent: Int
  ) throws {
    let two = try TwoProcesses()
    let set = try RunningFob(
      [
        "ctl", "battery", "--percent", "\(percent)", "--socket",
        two.scratch.path("keychain.sock"),
      ], in: two.scratch, awaitsReady: false)
    #expect(set.awaitEnd() == 0, "\(set.output)")
    let deadline = BootClock.now() + .seconds(30)
    var status = ""
    while !status.contains("\"batteryPercent\":\(percent),"), BootClock.now() < deadline {
      let ask = try RunningFob(
        ["ctl", "status", "--socket", two.scratch.path("bridge.sock")], in: two.scratch,
        awaitsReady: false)
      ask.awaitEnd()
      status = ask.output
    }
    #expect(status.contains("\"batteryPercent\":\(percent),"), "\(status)")
    let state = try RunningFob(
      ["ctl", "state", "--socket", two.scratch.path("keychain.sock")], in: two.scratch,
      awaitsReady: false)
    state.awaitEnd()
    #expect(state.output.contains("\"battery\":\(percent),"), "\(state.output)")
  }
}
