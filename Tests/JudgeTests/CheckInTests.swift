import FobBase
import Judge
import Testing
import WireProtocol

/// Check-ins: what asks, what raises an alarm, and what an answer is worth.
@Suite struct CheckInTests {
  private let later = CheckInName(series: 1, key: "20250615T1508-1")

  // MARK: Asked

  @Test func `what a plan asks may be told, shown, nagged and completed`() {
    var scene = Scene.due()
    scene.pass(60_000)
    scene.see(.checkInSaid(host: 0, .nagged, Scene.name))
    scene.complete()
    scene.finish()
    #expect(scene.found.isEmpty)
  }

  @Test(
    arguments: [
      ("20250615T1509", 80, 80_000), ("20250615T1508", 140, 80_000), ("20250616T1508", 80, 80_000),
      ("20250615T1508", 80, 10_000),
    ] as [(String, Int64, Int64)])
  func `what no plan asks, at another time or too early, is unasked`(
    key: String, due: Int64, at: Int64
  ) {
    var scene = Scene.asking()
    scene.at(at)
    scene.storeCheckIn(
      .open, CheckInName(series: 1, key: key), due: Scene.wall + due * 1_000_000)
    #expect(scene.found == [.checkInUnasked])
  }

  @Test func `a light counts no more than plans have asked`() {
    var scene = Scene.due()
    scene.say(due: 2)
    #expect(scene.found == [.checkInUnasked])
  }

  @Test func `nothing is told before it is due`() {
    var scene = Scene.asking()
    scene.at(70_000)
    scene.storeCheckIn()
    scene.see(.checkInSaid(host: 0, .due, Scene.name))
    #expect(scene.found == [.checkInUnasked])
  }

  @Test func `a plan that nobody has asked for is unasked`() {
    var scene = Scene.asking()
    var plan = Scene.plan
    plan.limit = 6
    scene.storeSeries(plan)
    #expect(scene.found == [.checkInUnasked])
  }

  @Test(arguments: [false, true])
  func `a light that no host feeds shows nothing due, after a lease`(isTooLong: Bool) {
    var scene = Scene.due()
    scene.see(.stopped(host: 0))
    scene.pass(16_000)
    if !isTooLong { scene.show(.idle) }
    scene.pass(1_000)
    scene.show(.sending)
    #expect(scene.found == (isTooLong ? [.checkInUnasked] : []))
  }

  @Test(arguments: [false, true])
  func `two edits may wait for one commit, and each has asked`(isAsked: Bool) {
    let first = SeriesPlan(
      .once, minute: 15 * 60 + 9, start: 20_254, lead: 0, escalates: true, limit: 5)
    var second = first
    second.minute += 5
    var scene = Scene.due()
    if isAsked { scene.see(.asked(host: 0, request: 60, .editSeries(1, first))) }
    let name = CheckInName(series: 1, key: "20250615T1509")
    scene.at(140_000)
    if isAsked { scene.see(.checkInSaid(host: 0, .due, name)) }
    scene.pass(1_000)
    scene.see(.asked(host: 0, request: 61, .editSeries(1, second)))
    scene.pass(1_000)
    var batch = Batch()
    batch.series = [(1, second)]
    batch.checkIns = [
      Batch.CheckInRow(
        name, .open, due: Scene.due + 60_000_000, runsOut: Scene.due + 360_000_000)
    ]
    scene.see(.stored(host: 0, batch))
    #expect(scene.found == (isAsked ? [] : [.checkInUnasked]))
  }

  /// The wall clock leaps over the due time, and the edit comes before the core has looked at it.
  @Test(arguments: [1, 2])
  func `what has fallen due is asked after an edit that leaves the rule`(times: Int) {
    var plan = Scene.plan
    plan.rule = .days(every: 1, times: times, hoursApart: 1)
    plan.limit = 6
    var scene = Scene.asking()
    scene.at(70_000)
    scene.see(.wallClock(host: 0, Scene.due + 5_000_000))
    scene.see(.asked(host: 0, request: 60, .editSeries(1, plan)))
    scene.storeSeries(plan)
    scene.storeCheckIn()
    #expect(scene.found == (times == 2 ? [] : [.checkInUnasked]))
  }

  // MARK: Forgotten

  @Test(
    arguments: [(0, []), (200, []), (201, [Violation.Rule.checkInForgotten])]
      as [(Int64, [Violation.Rule])])
  func `silence raises an alarm`(late: Int64, found: [Violation.Rule]) {
    var scene = Scene.due()
    scene.at(Scene.runsOutAt + late)
    scene.raise()
    #expect(scene.found == found)
  }

  @Test func `what was never asked must have raised an alarm, too`() {
    var scene = Scene.asking()
    scene.at(Scene.runsOutAt + 201)
    scene.say(due: 0)
    #expect(scene.found == [.checkInForgotten])
  }

  @Test func `while protection is off nothing is raised`() {
    var scene = Scene.due(isProtecting: false)
    scene.at(Scene.runsOutAt + 10_000)
    scene.say(due: 1)
    #expect(scene.found.isEmpty)
  }

  @Test(
    arguments: [(0, []), (-120, []), (120, [Violation.Rule.checkInForgotten])]
      as [(Int64, [Violation.Rule])])
  func `a wall clock that is set on runs out at once, and one that is set back delays nothing`(
    seconds: Int64, found: [Violation.Rule]
  ) {
    var scene = Scene.due()
    scene.pass(1_000)
    scene.see(.wallClock(host: 0, Scene.wall + scene.now * 1_000 + seconds * 1_000_000))
    scene.at(Scene.runsOutAt - 100_000)
    scene.say(due: 1)
    #expect(scene.found == found)
    guard found.isEmpty else { return }
    scene.at(Scene.runsOutAt + 201)
    scene.say(due: 1)
    #expect(scene.found == [.checkInForgotten])
  }

  /// It reboots a second after it is due, and its wall clock goes back by half a minute.
  @Test(
    arguments: [
      (299_000, [Violation.Rule.checkInInvented]), (300_000, []), (300_201, [.checkInForgotten]),
    ] as [(Int64, [Violation.Rule])])
  func `after a reboot a wall clock that went back delays it by no more than its limit`(
    after: Int64, found: [Violation.Rule]
  ) {
    var scene = Scene.due()
    scene.pass(1_000)
    scene.restart(after: 0, byWall: -30_000)
    scene.pass(after)
    scene.raise()
    #expect(scene.found == found)
  }

  @Test(arguments: [false, true])
  func `a reboot over the limit raises the alarm within a second`(isForgotten: Bool) {
    var scene = Scene.due()
    scene.restart(after: 400_000, byWall: 400_000)
    scene.pass(1_000)
    if !isForgotten { scene.raise() }
    scene.pass(300)
    scene.say(due: 0)
    #expect(scene.found == (isForgotten ? [.checkInForgotten] : []))
  }

  @Test func `nothing is covered without an alarm, nor missed without a newer one`() {
    for state in [Batch.CheckInRow.State.covered, .missed] {
      var scene = Scene.due()
      scene.storeCheckIn(state)
      #expect(scene.found == [.checkInForgotten])
    }
  }

  @Test func `a newer one is asked in place of one that was missed`() {
    var scene = Scene.due()
    scene.restart(after: 3_700_000, byWall: 3_700_000)
    scene.storeCheckIn(.missed)
    scene.storeCheckIn(.open, later, due: Scene.due + 3_600_000_000)
    scene.pass(2_000)
    scene.say(due: 1)
    #expect(scene.found.isEmpty)
  }

  // MARK: Invented

  @Test func `no alarm is raised by what is not there, not due, or not protected`() {
    var scene = Scene.asking()
    scene.raise(by: nil, isStored: false)
    #expect(scene.found == [.checkInInvented])
    scene = .due()
    scene.at(Scene.runsOutAt - 1_000)
    scene.raise(isStored: false)
    #expect(scene.found == [.checkInInvented])
    scene = .due(isProtecting: false)
    scene.at(Scene.runsOutAt)
    scene.raise(isStored: false)
    #expect(scene.found == [.checkInInvented])
  }

  @Test func `nor after a durable completion`() {
    var scene = Scene.due()
    scene.complete()
    scene.at(Scene.runsOutAt)
    scene.raise(isStored: false)
    #expect(scene.found == [.checkInInvented])
  }

  // MARK: Doubled

  @Test func `one check-in raises one alarm, also where a crash has lost the first`() {
    var scene = Scene.due()
    scene.at(Scene.runsOutAt)
    scene.raise(isStored: false)
    scene.restart(after: 1_000)
    scene.pass(500)
    scene.raise(0xBEEF)
    #expect(scene.found.isEmpty)
  }

  @Test func `a second alarm is doubled`() {
    var scene = Scene.due()
    scene.at(Scene.runsOutAt)
    scene.raise()
    scene.see(.asked(host: 0, request: 1, .disarm))
    scene.move(Scene.raised, .alertCountdown, .emergencyEnded)
    scene.move(Scene.raised, .emergencyEnded, .noEmergency)
    scene.raise(0xBEEF, isStored: false)
    #expect(scene.found == [.checkInDoubled])
  }

  @Test func `so are a second completion, and one click for two`() {
    var scene = Scene.due()
    scene.complete()
    scene.see(.checkInSaid(host: 0, .completed, Scene.name))
    #expect(scene.found == [.checkInDoubled])
    scene = .due()
    scene.storeCheckIn(.completed, by: "1/1.5")
    scene.at(3_680_000)
    scene.storeCheckIn(.completed, later, due: Scene.due + 3_600_000_000, by: "1/1.5")
    #expect(scene.found == [.checkInDoubled])
  }

  /// It says so with a number that another press has had, or that the same press has.
  @Test(arguments: [false, true])
  func `a keychain that lies may answer two by one number, with two presses`(isAnother: Bool) {
    var scene = Scene.due()
    for clock in isAnother ? [1_000_000, 2_000_000] : [1_000_000] as [UInt64] {
      scene.see(.heard(host: 0, Event.press(5, clock: clock)))
    }
    let click = "\(DeviceID.bench(1).text)/\(EventNumber(boot: 1, n: 5).text)"
    scene.storeCheckIn(.completed, by: click)
    scene.at(3_680_000)
    scene.storeCheckIn(.completed, later, due: Scene.due + 3_600_000_000, by: click)
    #expect(scene.found.contains(.checkInDoubled) == !isAnother)
  }

  // MARK: Completed

  @Test(arguments: [false, true])
  func `an answer outlives a restart`(isLost: Bool) {
    var scene = Scene.due()
    scene.complete()
    scene.restart(after: 5_000)
    if isLost { scene.see(.checkInSaid(host: 0, .nagged, Scene.name)) }
    scene.finish()
    #expect(scene.found == (isLost ? [.completionLost] : []))
  }

  @Test(arguments: [false, true])
  func `a completed one asks again where somebody restores it, and else never`(isAsked: Bool) {
    var scene = Scene.due()
    scene.complete()
    if isAsked { scene.see(.asked(host: 0, request: 60, .restore(Scene.name))) }
    scene.storeCheckIn(.open)
    #expect(scene.found == (isAsked ? [] : [.completionLost]))
  }

  @Test(arguments: [false, true])
  func `a completed one is completed again where it was restored before the disk had it`(
    isAsked: Bool
  ) {
    var scene = Scene.due()
    scene.complete()
    if isAsked { scene.see(.asked(host: 0, request: 60, .restore(Scene.name))) }
    scene.storeCheckIn(.completed, by: "click")
    #expect(scene.found == (isAsked ? [] : [.checkInDoubled]))
    scene.storeCheckIn(.completed)
    #expect(scene.found.contains(.checkInDoubled), "one wish is one time")
  }

  @Test func `an answer is durable once the disk has it`() {
    var scene = Scene.due()
    scene.see(.asked(host: 0, request: 51, .complete(Scene.name)))
    scene.see(.answered(host: 0, request: 51, .noEmergency, isRefused: false, isDurable: true))
    #expect(scene.found == [.answerBeforeCommit])
  }

  // MARK: Hidden

  @Test(arguments: [false, true])
  func `no light says due while an alarm is open`(isHidden: Bool) {
    let press = Event.press(1)
    var scene = Scene.due()
    scene.press(press)
    scene.see(.heard(host: 0, press))
    if !isHidden { scene.say(.sending, of: press.name) }
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.store([press], in: press.name, row: .emergencySending)
    scene.tell(.raise, 1, of: press.name)
    scene.pass(101)
    if isHidden { scene.say(due: 1) }
    scene.pass(101)
    scene.show(.sending)
    #expect(scene.found == (isHidden ? [.alarmHidden] : []))
  }

  @Test(arguments: [false, true])
  func `nor does one go on with it longer than a lease`(isHidden: Bool) {
    let press = Event.press(1, of: 2)
    var scene = Scene.due { $0.keychains = 2 }
    scene.press(press, keychain: 1)
    scene.see(.heard(host: 0, press))
    scene.see(.indicated(host: 0, incident: press.name, .sending, sounder: false, to: [1]))
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.store([press], in: press.name, row: .emergencySending)
    scene.tell(.raise, 1, of: press.name)
    if !isHidden { scene.show(.idle) }
    scene.pass(16_100)
    scene.show(.sending, keychain: 1)
    #expect(scene.found == (isHidden ? [.alarmHidden] : []))
  }

  @Test func `nor over a press that no disk has`() {
    var scene = Scene.due()
    scene.press(Event.press(1))
    scene.show(.due)
    #expect(scene.found == [.lightBeforeCommit])
  }
}
