import FobBase
import Judge
import Testing
import WireProtocol

/// States and timers.
@Suite struct StateTests {
  private let press = Event.press(1)
  private let second = Event.press(2)

  private func heard(_ scene: inout Scene) {
    scene.press(press)
    scene.see(.heard(host: 0, press))
  }

  private func countdown(_ change: (inout Rules) -> Void = { _ in }) -> Scene {
    var scene = Scene {
      $0.countdown = .seconds(10)
      change(&$0)
    }
    heard(&scene)
    scene.move(press.name, .noEmergency, .alertCountdown)
    scene.store([press], in: press.name, row: .alertCountdown)
    return scene
  }

  @Test func `an incident has the name of a press that came`() {
    var scene = Scene()
    scene.move(press.name, .noEmergency, .emergencySending)
    #expect(scene.found == [.incidentInvented])
  }

  @Test func `a light for an incident that no press made is invented`() {
    var scene = Scene()
    scene.say(.idle)
    #expect(scene.found.isEmpty)
    scene.say(.sending, of: 7)
    #expect(scene.found == [.incidentInvented])
  }

  @Test func `states move along R40's graph and from where they are`() {
    var scene = Scene()
    scene.emergency(press)
    #expect(scene.found.isEmpty)
    scene.move(press.name, .emergencySent, .emergencySending)
    #expect(scene.found == [.stateOffGraph])
    scene.move(press.name, .emergencySent, .emergencyEnded)
    #expect(scene.found.filter { $0 == .stateOffGraph }.count == 2)
  }

  @Test func `a start finds what the disk held last`() {
    for (state, found) in [
      (Workflow.emergencySent, []), (.emergencySending, [Violation.Rule.stateForgotten]),
      (.noEmergency, [.stateForgotten]),
    ] {
      var scene = Scene()
      scene.emergency(press)
      scene.see(.stopped(host: 0))
      scene.see(
        .started(
          host: 0,
          state == .noEmergency ? Standing() : Standing(incident: press.name, state: state)))
      #expect(scene.found == found)
    }
  }

  @Test func `what a lying disk has lost need not be found`() {
    var scene = Scene()
    scene.emergency(press)
    scene.see(.stopped(host: 0))
    scene.see(.diskForgot(host: 0, [press.identity]))
    scene.see(.started(host: 0, Standing()))
    #expect(scene.found.isEmpty)
  }

  @Test(
    arguments: [(9_850, []), (9_849, [Violation.Rule.timerEarly])] as [(Int64, [Violation.Rule])])
  func `a countdown is not cut short`(after: Int64, found: [Violation.Rule]) {
    var scene = countdown()
    scene.pass(after)
    scene.move(press.name, .alertCountdown, .emergencySending)
    #expect(scene.found == found)
  }

  @Test func `a further press ends a countdown`() {
    var scene = countdown()
    scene.press(second)
    scene.see(.heard(host: 0, second))
    scene.move(press.name, .alertCountdown, .emergencySending)
    #expect(scene.found.isEmpty)
  }

  @Test(
    arguments: [(10_150, []), (10_151, [Violation.Rule.timerMissing])]
      as [(Int64, [Violation.Rule])])
  func `a countdown that is over becomes sending`(after: Int64, found: [Violation.Rule]) {
    var scene = countdown()
    scene.pass(after)
    scene.move(press.name, .alertCountdown, .emergencySending)
    #expect(scene.found == found)
  }

  @Test(
    arguments: [(1_000, []), (1_001, [Violation.Rule.timerMissing])] as [(Int64, [Violation.Rule])])
  func `a timer that came due while the host was down fires as it starts`(
    after: Int64, found: [Violation.Rule]
  ) {
    var scene = countdown()
    scene.see(.stopped(host: 0))
    scene.pass(60_000)
    scene.see(.started(host: 0, Standing(incident: press.name, state: .alertCountdown)))
    scene.pass(after)
    scene.move(press.name, .alertCountdown, .emergencySending)
    #expect(scene.found == found)
  }

  /// 4 s of 10 have passed, and the wall clock says that it was down for 3 s: 3 s are left.
  @Test(
    arguments: [
      (2_849, [Violation.Rule.timerEarly]), (2_850, []), (3_150, []), (3_151, [.timerMissing]),
    ] as [(Int64, [Violation.Rule])])
  func `after a reboot the wall clock says how long the host was down`(
    after: Int64, found: [Violation.Rule]
  ) {
    var scene = countdown()
    scene.pass(4_000)
    scene.see(.stopped(host: 0))
    scene.pass(50_000)
    scene.see(.rebooted(host: 0, elapsedByWall: .seconds(3)))
    scene.see(.started(host: 0, Standing(incident: press.name, state: .alertCountdown)))
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
    var scene = countdown()
    scene.pass(1_000)
    scene.see(.stopped(host: 0))
    scene.see(.rebooted(host: 0, elapsedByWall: .seconds(-60)))
    scene.see(.started(host: 0, Standing(incident: press.name, state: .alertCountdown)))
    scene.pass(after)
    scene.move(press.name, .alertCountdown, .emergencySending)
    #expect(scene.found == found)
  }

  @Test(
    arguments: [(900_200, []), (900_201, [Violation.Rule.incidentOverdue])]
      as [(Int64, [Violation.Rule])])
  func `sending becomes sent or failed in time`(after: Int64, found: [Violation.Rule]) {
    var scene = Scene()
    heard(&scene)
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.pass(after)
    scene.move(press.name, .emergencySending, .emergencySendingFailed)
    #expect(scene.found == found)
  }

  @Test func `sending fails no sooner, unless there is nobody to tell`() {
    for (contacts, found) in [(0, []), (1, [Violation.Rule.timerEarly])] {
      var scene = Scene { $0.contacts = contacts }
      heard(&scene)
      scene.move(press.name, .noEmergency, .emergencySending)
      scene.move(press.name, .emergencySending, .emergencySendingFailed)
      #expect(scene.found == found)
    }
  }

  @Test(
    arguments: [
      (1_799_849, [Violation.Rule.timerEarly]), (1_799_850, []), (1_800_200, []),
      (1_800_201, [.incidentOverdue]),
    ] as [(Int64, [Violation.Rule])])
  func `tracking ends in its time`(after: Int64, found: [Violation.Rule]) {
    var scene = Scene { $0.messageEvery = .minutes(60) }
    scene.emergency(press)
    scene.pass(after)
    scene.move(press.name, .emergencySent, .emergencyEnded)
    #expect(scene.found == found)
  }

  @Test func `tracking goes on from the last press`() {
    var scene = Scene { $0.messageEvery = .minutes(60) }
    scene.emergency(press)
    scene.pass(1_000_000)
    scene.press(second)
    scene.see(.heard(host: 0, second))
    scene.store([second], in: press.name, row: .emergencySent)
    scene.pass(1_700_000)
    scene.move(press.name, .emergencySent, .emergencyEnded)
    #expect(scene.found == [.timerEarly])
  }

  @Test func `an incident ends early only when somebody asks`() {
    var scene = Scene()
    scene.emergency(press)
    scene.see(.asked(host: 0, request: 1, .cancel))
    scene.see(
      .answered(host: 0, request: 1, .emergencySent, isRefused: true, isDurable: true))
    scene.move(press.name, .emergencySent, .emergencyEnded)
    #expect(scene.found == [.timerEarly])
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
    scene.see(.started(host: 0, Standing(incident: press.name, state: .emergencySent)))
    scene.pass(after)
    scene.move(press.name, .emergencySent, .emergencyEnded)
    #expect(scene.found == found)
  }

  @Test func `a queue is full at its limit`() {
    var scene = Scene()
    scene.see(.queues(host: 0, events: 4_160, log: 4_096, deliveries: 1_024, line: 4_096))
    #expect(scene.found.isEmpty)
    scene.see(.queues(host: 0, events: 4_161, log: 4_097, deliveries: 1_025, line: 4_097))
    #expect(scene.found == Array(repeating: .queueOverLimit, count: 4))
    scene.see(.queues(host: 0, events: 4_161, log: 0, deliveries: 0, line: 0))
    #expect(scene.found.count == 4)
  }

  @Test func `a run keeps sixteen violations`() {
    var scene = Scene()
    for name in UInt64(1)...40 { scene.say(.sending, of: name) }
    #expect(scene.found.count == 16)
  }
}
