import FobBase
import Judge
import Testing
import WireProtocol

/// Zones, and those that an owner passes through.
extension CheckInTests {
  @Test(
    arguments: [(-3_600, "T1408"), (3_600, "T1608"), (5 * 3_600, "T2008")]
      as [(Int64, String)])
  func `a plan goes by the local time of its zone`(ahead: Int64, key: String) {
    var plan = Scene.plan
    plan.minute += Int(ahead / 60)
    var scene = Scene.asking(plan)
    scene.see(.zone(host: 0, Zone(first: ahead)))
    scene.at(Scene.dueAt)
    scene.storeCheckIn(.open, CheckInName(series: 1, key: "20250615" + key))
    #expect(scene.found.isEmpty)
  }

  /// At 15:07 clocks go to 16:07, or to 14:07.
  @Test(
    arguments: [(3_600, "T1508", 80), (-3_600, "T1408", 80), (-3_600, "T1507", 3_620)]
      as [(Int64, String, Int64)])
  func `a time that is leapt over goes by the clock before, and one that comes twice is the first`(
    ahead: Int64, key: String, due: Int64
  ) {
    var plan = Scene.plan
    plan.minute = Int(key.dropFirst().prefix(2))! * 60 + Int(key.suffix(2))!
    var scene = Scene.asking(plan)
    let change = Zone.Change(at: Scene.wall / 1_000_000 + 20, ahead: ahead)
    scene.see(.zone(host: 0, Zone(changes: [change])))
    scene.at(due * 1_000)
    scene.storeCheckIn(
      .open, CheckInName(series: 1, key: "20250615" + key), due: Scene.wall + due * 1_000_000)
    #expect(scene.found == (key == "T1408" ? [.checkInUnasked] : []))
  }

  @Test(arguments: [false, true])
  func `what has fallen due before a zone changes may be asked in that step`(isDue: Bool) {
    var scene = Scene.asking()
    scene.at(isDue ? Scene.dueAt : 10_000)
    scene.see(.zone(host: 0, Zone(first: 1_800)))
    scene.say(due: 1)
    #expect(scene.found == (isDue ? [] : [.checkInUnasked]))
  }

  @Test func `a zone that changed while the host was down asks by its own time`() {
    var plan = Scene.plan
    plan.minute += 30
    var scene = Scene.asking(plan)
    scene.see(.stopped(host: 0))
    scene.at(Scene.dueAt + 5_000)
    scene.see(.account(host: 0, AccountState(isProtecting: true)))
    scene.see(.started(host: 0, RestoredState()))
    scene.see(.zone(host: 0, Zone(first: 1_800)))
    scene.say(due: 1)
    #expect(scene.found.isEmpty)
  }

  @Test(arguments: [1, 121])
  func `one that waits for the disk goes by its zone, through however many since`(wait: Int64) {
    var scene = Scene.asking()
    scene.at(Scene.dueAt)
    scene.say(due: 1)
    scene.see(.checkInSaid(host: 0, .due, Scene.name))
    for ahead in [3_300, 7_200, 0] { scene.see(.zone(host: 0, Zone(first: Int64(ahead) + 300))) }
    scene.pass(wait * 1_000)
    scene.storeCheckIn()
    #expect(scene.found == (wait == 1 ? [] : [.checkInUnasked]))
  }

  /// The plan asks at 15:08 by the new zone, too, but before its change.
  @Test(arguments: [false, true])
  func `a core that is killed in a change of zone asks by the new one what was before`(
    isKilled: Bool
  ) {
    var plan = Scene.plan
    plan.minute += 30
    var scene = Scene.asking(plan)
    scene.at(Scene.dueAt + 5_000)
    scene.see(.zone(host: 0, Zone(first: 1_800)))
    if isKilled {
      scene.see(.stopped(host: 0))
      scene.pass(200_000)
      scene.see(.account(host: 0, AccountState(isProtecting: true)))
      scene.see(.started(host: 0, RestoredState()))
      scene.see(.zone(host: 0, Zone(first: 1_800)))
    }
    scene.say(due: 1)
    #expect(scene.found == (isKilled ? [] : [.checkInUnasked]))
  }
}
