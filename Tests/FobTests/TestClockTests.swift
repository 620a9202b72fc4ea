import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// `--test-clock`: the time of a real process, in the hands of a test.
@Suite struct TestClockTests {
  @Test func `half an hour of an emergency takes no time, real processes`() throws {
    let rig = try EmergencyRig()
    let began = BootClock.now()
    try rig.perform(.press)
    try rig.perform(.move(61, tells: 1))
    try rig.perform(.move(1_801, tells: 1))
    #expect(try rig.state == "EMERGENCY_ENDED")
    #expect(BootClock.now() - began < .seconds(20))
  }

  @Test func `a process whose test has gone ends and says why`() throws {
    let rig = try EmergencyRig()
    rig.clock.stop()
    #expect(rig.core.awaitEnd() == 69)
    #expect(rig.core.output.contains("test clock"), "\(rig.core.output)")
  }

  @Test func `a clock that would go back ends the process`() throws {
    let rig = try EmergencyRig()
    rig.clock.move(by: .seconds(10))
    #expect(try rig.clock.isSettled())
    rig.clock.move(by: .seconds(-5))
    #expect(rig.core.awaitEnd() == 69)
    #expect(rig.core.output.contains("is before what it said last"), "\(rig.core.output)")
  }

  @Test func `nobody serves the clock: that is said at once`() throws {
    let scratch = try ScratchDirectory()
    let fob = try RunningFob(
      [
        "core", "--bench", "--state", scratch.path("state"), "--test-clock",
        scratch.path("nobody.sock"),
      ], in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd() == 66)
    #expect(fob.output.contains("nobody.sock"), "\(fob.output)")
  }
}
