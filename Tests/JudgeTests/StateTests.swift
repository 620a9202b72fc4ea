import FobBase
import Judge
import Testing
import WireProtocol

/// States and timers.
@Suite struct StateTests {
  private let press = Event.press(1)
  private let second = Event.press(2)

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
          state == .noEmergency
            ? RestoredState() : RestoredState(incident: press.name, state: state)))
      #expect(scene.found == found)
    }
  }

  @Test func `what a lying disk has lost need not be found`() {
    var scene = Scene()
    scene.emergency(press)
    scene.see(.stopped(host: 0))
    scene.see(.diskForgot(host: 0, [press.identity]))
    scene.see(.started(host: 0, RestoredState()))
    #expect(scene.found.isEmpty)
  }

  @Test(
    arguments: [(9_850, []), (9_849, [Violation.Rule.timerEarly])] as [(Int64, [Violation.Rule])])
  func `a countdown is not cut short`(after: Int64, found: [Violation.Rule]) {
    var scene = Scene.countdown(by: press)
    scene.pass(after)
    scene.move(press.name, .alertCountdown, .emergencySending)
    #expect(scene.found == found)
  }

  @Test func `a further press ends a countdown`() {
    var scene = Scene.countdown(by: press)
    scene.press(second)
    scene.see(.heard(host: 0, second))
    scene.move(press.name, .alertCountdown, .emergencySending)
    #expect(scene.found.isEmpty)
  }

  @Test(
    arguments: [(10_150, []), (10_151, [Violation.Rule.timerMissing])]
      as [(Int64, [Violation.Rule])])
  func `a countdown that is over becomes sending`(after: Int64, found: [Violation.Rule]) {
    var scene = Scene.countdown(by: press)
    scene.pass(after)
    scene.move(press.name, .alertCountdown, .emergencySending)
    #expect(scene.found == found)
  }

  @Test(
    arguments: [(1_000, []), (1_001, [Violation.Rule.timerMissing])] as [(Int64, [Violation.Rule])])
  func `a timer that came due while the host was down fires as it starts`(
    after: Int64, found: [Violation.Rule]
  ) {
    var scene = Scene.countdown(by: press)
    scene.see(.stopped(host: 0))
    scene.pass(60_000)
    scene.see(.started(host: 0, RestoredState(incident: press.name, state: .alertCountdown)))
    scene.pass(after)
    scene.move(press.name, .alertCountdown, .emergencySending)
    #expect(scene.found == found)
  }

  @Test(
    arguments: [(900_200, []), (900_201, [Violation.Rule.incidentOverdue])]
      as [(Int64, [Violation.Rule])])
  func `sending becomes sent or failed in time`(after: Int64, found: [Violation.Rule]) {
    var scene = Scene()
    scene.hear(press)
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.pass(after)
    scene.move(press.name, .emergencySending, .emergencySendingFailed)
    #expect(scene.found == found)
  }

  @Test func `sending fails no sooner, unless there is nobody to tell`() {
    for (contacts, found) in [(0, []), (1, [Violation.Rule.timerEarly])] {
      var scene = Scene { $0.contacts = contacts }
      scene.hear(press)
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
}
