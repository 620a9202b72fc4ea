import FobBase
import Judge
import Testing
import WireProtocol

/// Check-ins that somebody has asked anew.
extension CheckInTests {
  /// The wall clock is set on by as many seconds before the disk knows that it asks again.
  @Test(
    arguments: [(400, []), (200, [Violation.Rule.checkInInvented])]
      as [(Int64, [Violation.Rule])])
  func `one that is asked anew has its full limit, and raises an alarm after that`(
    seconds: Int64, found: [Violation.Rule]
  ) {
    var scene = Scene.due()
    scene.complete()
    scene.restore()
    scene.see(.wallClock(host: 0, Scene.wall + scene.now * 1_000 + seconds * 1_000_000))
    scene.raise(isStored: false)
    #expect(scene.found == found)
  }

  /// The wall clock leaps over the limit before the disk knows that it asks again.
  @Test(arguments: [true, false])
  func `one that is asked anew before it is due raises an alarm after its limit`(isOver: Bool) {
    var scene = Scene.restoredEarly()
    scene.see(.wallClock(host: 0, Scene.runsOut + (isOver ? 1_000_000 : -1_000_000)))
    scene.raise(isStored: false)
    #expect(scene.found == (isOver ? [] : [.checkInInvented]))
  }

  @Test(arguments: [false, true])
  func `one that is asked anew before it is due runs out once it was due`(isRaised: Bool) {
    var scene = Scene.restoredEarly()
    scene.storeCheckIn()
    scene.at(Scene.dueAt)
    scene.see(.checkInSaid(host: 0, .due, Scene.name))
    scene.at(Scene.runsOutAt)
    if isRaised { scene.raise() }
    scene.pass(1_000)
    if !isRaised { scene.say(due: 0) }
    #expect(scene.found == (isRaised ? [] : [.checkInForgotten]))
  }

  /// It is due and covered, its first row waits for a bad disk, and the wall clock leaps.
  @Test(arguments: [false, true])
  func `one that the disk has no row of has its full limit, too`(isOver: Bool) {
    var scene = Scene.asking()
    scene.at(Scene.dueAt)
    scene.see(.checkInSaid(host: 0, .due, Scene.name))
    scene.see(.checkInSaid(host: 0, .closed, Scene.name))
    scene.see(.wallClock(host: 0, Scene.runsOut + 60_000_000))
    scene.see(.checkInSaid(host: 0, .restored, Scene.name))
    scene.see(.zone(host: 0, Zone()))
    scene.pass(isOver ? 302_000 : 2_000)
    scene.say(due: 1)
    #expect(scene.found == (isOver ? [.checkInForgotten] : []))
  }
}
