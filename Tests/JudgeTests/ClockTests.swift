import FobBase
import Judge
import Testing
import WireProtocol

/// Timers over reboots, when the wall clock alone says how long a host was down.
@Suite struct ClockTests {
  private let press = Event.press(1)

  /// 4 s of 10 have passed, and the wall clock says that it was down for 3 s: 3 s are left.
  @Test(
    arguments: [
      (2_849, [Violation.Rule.timerEarly]), (2_850, []), (3_150, []), (3_151, [.timerMissing]),
    ] as [(Int64, [Violation.Rule])])
  func `after a reboot the wall clock says how long the host was down`(
    after: Int64, found: [Violation.Rule]
  ) {
    var scene = Scene.countdown(by: press)
    scene.pass(4_000)
    scene.see(.stopped(host: 0))
    scene.pass(50_000)
    scene.see(.rebooted(host: 0, elapsedByWall: .seconds(3)))
    scene.see(.started(host: 0, RestoredState(incident: press.name, state: .alertCountdown)))
    scene.pass(after)
    scene.move(press.name, .alertCountdown, .emergencySending)
    #expect(scene.found == found)
  }

  @Test(
    arguments: [(0, []), (1_000, []), (1_001, [Violation.Rule.timerMissing])]
      as [(Int64, [Violation.Rule])])
  func `a countdown is over at once where the wall clock has gone back`(
    after: Int64, found: [Violation.Rule]
  ) {
    var scene = Scene.countdown(by: press)
    scene.pass(1_000)
    scene.see(.stopped(host: 0))
    scene.see(.rebooted(host: 0, elapsedByWall: .seconds(-60)))
    scene.see(.started(host: 0, RestoredState(incident: press.name, state: .alertCountdown)))
    scene.pass(after)
    scene.move(press.name, .alertCountdown, .emergencySending)
    #expect(scene.found == found)
  }

  @Test(
    arguments: [(1_799_000, []), (1_799_849, []), (1_801_201, [Violation.Rule.incidentOverdue])]
      as [(Int64, [Violation.Rule])])
  func `tracking may begin anew where the wall clock has gone back`(
    after: Int64, found: [Violation.Rule]
  ) {
    var scene = Scene { $0.messageEvery = .minutes(60) }
    scene.emergency(press)
    scene.pass(100_000)
    scene.see(.stopped(host: 0))
    scene.show(.unclaimed)
    scene.see(.rebooted(host: 0, elapsedByWall: .seconds(-5)))
    scene.see(.started(host: 0, RestoredState(incident: press.name, state: .emergencySent)))
    scene.pass(after)
    scene.move(press.name, .emergencySent, .emergencyEnded)
    #expect(scene.found == found)
  }

  /// The moments of before the first reboot are ahead of its wall clock still.
  @Test(arguments: [1_700_000, 1_799_000] as [Int64])
  func `a wall clock that went back may be seen to at the next reboot, too`(after: Int64) {
    var scene = Scene { $0.messageEvery = .minutes(60) }
    scene.emergency(press)
    for elapsed in [-500, 50] as [Int64] {
      scene.pass(50_000)
      scene.see(.stopped(host: 0))
      scene.show(.unclaimed)
      scene.see(.rebooted(host: 0, elapsedByWall: .seconds(elapsed)))
      scene.see(.started(host: 0, RestoredState(incident: press.name, state: .emergencySent)))
      scene.store(in: press.name, row: .emergencySent, presses: [press.identity.number])
    }
    scene.pass(after)
    scene.move(press.name, .emergencySent, .emergencyEnded)
    #expect(scene.found.isEmpty)
  }

  @Test func `a wall clock that jumped in the run before leaves old timers open`() {
    for jumps in [true, false] {
      var scene = Scene.countdown(by: press)
      if jumps { scene.see(.rebooted(host: 0, elapsedByWall: .seconds(3_600))) }
      scene.see(.stopped(host: 0))
      scene.see(.rebooted(host: 0, elapsedByWall: .seconds(1)))
      scene.see(.started(host: 0, RestoredState(incident: press.name, state: .alertCountdown)))
      scene.move(press.name, .alertCountdown, .emergencySending)
      #expect(scene.found == (jumps ? [] : [.timerEarly]))
    }
  }

  /// The start after the reboot has stored the times by the new boot, or the next one reckons them
  /// by the wall clock, which was set since.
  @Test func `a wall clock that is set after a start that stored nothing leaves old timers open`() {
    for (stores, isSet) in [(false, true), (true, true), (false, false)] {
      var scene = Scene { $0.messageEvery = .minutes(60) }
      let name = scene.emergency(press)
      scene.see(.stopped(host: 0))
      scene.show(.unclaimed)
      scene.see(.rebooted(host: 0, elapsedByWall: .seconds(1)))
      scene.see(.started(host: 0, RestoredState(incident: name, state: .emergencySent)))
      if stores { scene.store(in: name, row: .emergencySent, presses: [press.identity.number]) }
      if isSet { scene.see(.rebooted(host: 0, elapsedByWall: .seconds(3_600))) }
      scene.see(.stopped(host: 0))
      scene.see(.started(host: 0, RestoredState(incident: name, state: .emergencySent)))
      scene.move(name, .emergencySent, .emergencyEnded)
      #expect(scene.found == (isSet && !stores ? [] : [.timerEarly]))
    }
  }

  /// Killed before its first batch, a start leaves the next one to see the same wall clock.
  @Test func `a wall clock that went back is seen again by a start after one that stored nothing`()
  {
    for stores in [false, true] {
      var scene = Scene { $0.messageEvery = .minutes(60) }
      let name = scene.emergency(press)
      scene.pass(1_000)
      scene.see(.stopped(host: 0))
      scene.show(.unclaimed)
      scene.see(.rebooted(host: 0, elapsedByWall: .seconds(-500)))
      scene.see(.started(host: 0, RestoredState(incident: name, state: .emergencySent)))
      if stores { scene.store(in: name, row: .emergencySent, presses: [press.identity.number]) }
      scene.see(.stopped(host: 0))
      scene.pass(60_000)
      scene.see(.started(host: 0, RestoredState(incident: name, state: .emergencySent)))
      scene.pass(1_800_000)
      scene.move(name, .emergencySent, .emergencyEnded)
      #expect(scene.found == (stores ? [.incidentOverdue] : []))
    }
  }
}
