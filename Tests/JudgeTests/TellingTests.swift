import FobBase
import Judge
import Testing
import WireProtocol

/// What people are told.
@Suite struct TellingTests {
  private let press = Event.press(1)
  private let second = Event.press(2)

  @Test(
    arguments: [(395_000, []), (395_001, [Violation.Rule.timerMissing])]
      as [(Int64, [Violation.Rule])])
  func `while nobody acknowledges, everybody is told again`(
    after: Int64, found: [Violation.Rule]
  ) {
    var scene = Scene()
    scene.emergency(press)
    scene.pass(after)
    scene.tell(.again, 2, of: press.name)
    #expect(scene.found == found)
  }

  /// It comes at once, and finds no alarm open.
  private func live(_ press: Event, in scene: inout Scene) {
    scene.close()
    scene.pass(20)
    scene.keep(press)
    scene.see(.heard(host: 0, press))
  }

  @Test(
    arguments: [(1_000, []), (1_001, [Violation.Rule.pressUntold])]
      as [(Int64, [Violation.Rule])])
  func `a press that comes at once is told within a second`(
    after: Int64, found: [Violation.Rule]
  ) {
    var scene = Scene()
    live(press, in: &scene)
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.store([press], in: press.name, row: .emergencySending)
    scene.pass(after)
    scene.tell(.raise, 1, of: press.name)
    #expect(scene.found == found)
  }

  /// As it is where a press is wrongly taken for an older one.
  @Test func `a press made after an alarm was over is told, whatever is said of its age`() {
    var scene = Scene()
    scene.emergency(press)
    scene.disarm(press)
    scene.pass(70_000)
    live(second, in: &scene)
    scene.store([second], in: press.name)
    scene.pass(1_001)
    scene.open()
    #expect(scene.found == [.incidentNotOpened, .pressUntold])
  }

  /// Else the last that they hear is that all is well.
  @Test func `the end of an alarm is not told while people are told of another`() {
    var scene = Scene()
    scene.emergency(press)
    scene.disarm(press, closes: false)
    scene.move(press.name, .emergencyEnded, .noEmergency)
    scene.emergency(second)
    scene.tell(.closing, 90, of: press.name)
    scene.pass(1)
    scene.show(.accepted)
    #expect(scene.found == [.toldOutOfOrder])
  }

  @Test
  func `a notification channel that is still with a message of before may keep a press waiting`() {
    var scene = Scene()
    scene.emergency(press)
    scene.disarm(press)
    scene.move(press.name, .emergencyEnded, .noEmergency)
    scene.pass(1_000)
    live(second, in: &scene)
    scene.move(second.name, .noEmergency, .emergencySending)
    scene.store([second], in: second.name, row: .emergencySending)
    scene.pass(60_000)
    scene.tell(.raise, 1, of: second.name)
    #expect(scene.found.isEmpty)
  }

  @Test func `once somebody has acknowledged, nobody is told again`() {
    var scene = Scene()
    scene.emergency(press)
    scene.see(.asked(host: 0, request: 1, .acknowledge(contact: 0)))
    scene.store(in: press.name, row: .emergencySent, presses: [press.identity.number])
    scene.see(
      .answered(host: 0, request: 1, .emergencySent, isRefused: false, isDurable: true))
    scene.pass(1_000_000)
    scene.show(.acknowledged)
    #expect(scene.found.isEmpty)
  }

  @Test func `a further press undoes an acknowledgement`() {
    var scene = Scene()
    scene.emergency(press)
    scene.see(.asked(host: 0, request: 1, .acknowledge(contact: 0)))
    scene.press(second)
    scene.see(.heard(host: 0, second))
    scene.store([second], in: press.name, row: .emergencySent)
    scene.tell(.update, 2, of: press.name)
    scene.pass(395_001)
    scene.say(.sending, of: press.name)
    #expect(scene.found == [.timerMissing])
  }

  @Test(
    arguments: [(299_850, []), (299_849, [Violation.Rule.timerEarly])]
      as [(Int64, [Violation.Rule])])
  func `nobody is told again too soon`(after: Int64, found: [Violation.Rule]) {
    var scene = Scene()
    scene.emergency(press)
    scene.pass(after)
    scene.tell(.again, 2, of: press.name)
    #expect(scene.found == found)
  }

  @Test(
    arguments: [(6_000, false, []), (600, true, []), (600, false, [.timerEarly])]
      as [(Int64, Bool, [Violation.Rule])])
  func `a press made long before, or in an earlier boot, need not be told, and delays no message`(
    age: Int64, isReplayed: Bool, found: [Violation.Rule]
  ) {
    var scene = Scene()
    var late = second
    if isReplayed { late.flags.insert(.replayed) }
    scene.emergency(press)
    scene.press(second)
    scene.pass(age)
    scene.see(.heard(host: 0, late))
    scene.store([late], in: press.name, row: .emergencySent)
    scene.pass(299_700 - age)
    scene.tell(.again, 2, of: press.name)
    #expect(scene.found == found)
  }

  @Test func `one deadline tells people again once`() {
    var scene = Scene()
    scene.emergency(press)
    scene.pass(300_000)
    scene.tell(.again, 2, of: press.name)
    scene.pass(1_000)
    scene.tell(.again, 3, of: press.name)
    #expect(scene.found == [.timerDoubled])
  }

  @Test func `a message held back by a slow notification channel does not make the next one early`()
  {
    var scene = Scene()
    scene.emergency(press)
    scene.press(second)
    scene.see(.heard(host: 0, second))
    scene.store([second], in: press.name, row: .emergencySent)
    scene.pass(80_000)
    scene.tell(.update, 2, of: press.name)
    scene.pass(220_000)
    scene.tell(.again, 3, of: press.name)
    #expect(scene.found.isEmpty)
  }

  @Test func `a message goes out again after a refusal, a silence or a restart`() {
    var scene = Scene()
    scene.emergency(press)
    let message = Message(.update, 2, of: press.name)
    scene.handOut(message)
    scene.see(.refused(host: 0, message))
    scene.pass(1_000)
    scene.handOut(message)
    scene.pass(60_000)
    scene.handOut(message)
    scene.see(.stopped(host: 0))
    scene.see(.started(host: 0, RestoredState(incident: press.name, state: .emergencySent)))
    scene.handOut(message)
    #expect(scene.found.isEmpty)
    scene.pass(1_000)
    scene.handOut(message)
    #expect(scene.found == [.toldAgainWithoutCause])
  }

  @Test func `an all-clear does not overtake its alarm`() {
    var scene = Scene()
    scene.emergency(press)
    let late = Message(.update, 2, of: press.name)
    scene.handOut(late)
    scene.disarm(press)
    scene.see(.told(host: 0, late))
    #expect(scene.found == [.toldOutOfOrder])
  }

  @Test func `a notification channel that took a message after a minute of silence is excused`() {
    var scene = Scene()
    scene.emergency(press)
    let late = Message(.update, 2, of: press.name)
    scene.handOut(late)
    scene.pass(60_000)
    scene.disarm(press)
    scene.see(.told(host: 0, late))
    #expect(scene.found.isEmpty)
  }

  @Test func `messages of one incident are told in their order`() {
    var scene = Scene()
    scene.emergency(press)
    scene.tell(.update, 3, of: press.name)
    scene.tell(.update, 2, of: press.name)
    #expect(scene.found == [.toldOutOfOrder, .toldOutOfOrder])
  }

  @Test func `a message that was decided just before a press is not early`() {
    var scene = Scene()
    scene.emergency(press)
    scene.pass(299_920)
    scene.see(.heard(host: 0, second))
    scene.pass(80)
    scene.tell(.again, 2, of: press.name)
    #expect(scene.found.isEmpty)
  }

  @Test func `a start hands out again what it finds, however soon`() {
    var scene = Scene()
    scene.emergency(press)
    scene.pass(300_000)
    scene.tell(.again, 2, of: press.name)
    for _ in 0..<3 { scene.store() }
    scene.see(.stopped(host: 0))
    scene.show(.unclaimed)
    scene.see(.started(host: 0, RestoredState(incident: press.name, state: .emergencySent)))
    scene.tell(.again, 2, of: press.name)
    #expect(scene.found.isEmpty)
    scene.tell(.again, 3, of: press.name)
    #expect(scene.found == [.timerDoubled])
  }

  @Test func `what a notification channel took for an earlier run may come late`() {
    var scene = Scene()
    scene.emergency(press)
    let late = Message(.update, 2, of: press.name)
    scene.handOut(late)
    scene.see(.stopped(host: 0))
    scene.see(.started(host: 0, RestoredState(incident: press.name, state: .emergencySent)))
    scene.handOut(late)
    scene.see(.refused(host: 0, late))
    scene.tell(.update, 3, of: press.name)
    scene.see(.told(host: 0, late))
    #expect(scene.found.isEmpty)
  }
}
