import FobBase
import Judge
import Testing
import WireProtocol

/// Who must have been told, of an emergency and of its end.
@Suite struct EndTests {
  private let press = Event.press(1)
  private let second = Event.press(2)

  @Test func `an open incident that a contact is not told of is told to nobody`() {
    for (isTold, found) in [(true, []), (false, [Violation.Rule.nobodyTold])] {
      var scene = Scene { $0.contacts = 1 }
      scene.press(press)
      scene.see(.heard(host: 0, press))
      scene.move(press.name, .noEmergency, .emergencySending)
      scene.store([press], in: press.name, row: .emergencySending)
      if isTold { scene.tell(.raise, 1, of: press.name) }
      scene.finish()
      #expect(scene.found == found)
    }
  }

  @Test func `an incident that ended before anybody could be told needs no telling`() {
    var scene = Scene()
    scene.see(.calm)
    scene.press(press)
    scene.see(.heard(host: 0, press))
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.store([press], in: press.name, row: .emergencySending)
    scene.see(.asked(host: 0, request: 1, .disarm))
    scene.pass(50_000)
    scene.move(press.name, .emergencySending, .emergencyEnded)
    scene.store(in: press.name, row: .emergencyEnded)
    scene.see(
      .answered(host: 0, request: 1, .emergencyEnded, isRefused: false, isDurable: true))
    scene.finish()
    #expect(scene.found.isEmpty)
  }

  @Test func `who was told of an incident is told of its end`() {
    var scene = Scene()
    scene.emergency(press)
    scene.disarm(press, closes: false)
    scene.finish()
    #expect(scene.found == [.endNotTold, .endNotTold])
  }

  /// A crash lost the press, which came again after another had opened an incident.
  @Test func `an incident told by another name is closed by that name, too`() {
    for (aliases, found) in [
      ([press.name], []), ([], [Violation.Rule.endNotTold, .endNotTold]),
    ] {
      var scene = Scene()
      scene.press(press, isVolatile: true)
      scene.see(.heard(host: 0, press))
      scene.move(press.name, .noEmergency, .emergencySending)
      scene.tell(.raise, 1, of: press.name)
      scene.see(.stopped(host: 0))
      scene.see(.started(host: 0, RestoredState()))
      scene.emergency(second)
      scene.see(.heard(host: 0, press))
      scene.store(
        [press], in: second.name, row: .emergencySent,
        presses: [second.identity.number, press.identity.number])
      scene.disarm(second, closes: false)
      scene.tell(.closing, 9, of: second.name, aliases: aliases)
      scene.finish()
      #expect(scene.found == found)
    }
  }

  @Test func `of a press that was lost with its commit nobody can tell the end`() {
    var scene = Scene()
    scene.press(press, isVolatile: true)
    scene.see(.heard(host: 0, press))
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.tell(.raise, 1, of: press.name)
    scene.see(.stopped(host: 0))
    scene.see(.power(keychain: 0, isOn: false))
    scene.see(.power(keychain: 0, isOn: true))
    scene.see(.started(host: 0, RestoredState()))
    scene.finish()
    #expect(scene.found.isEmpty)
  }

  @Test(
    arguments: [(170_000, []), (100_000, [Violation.Rule.notDeliveredInTime])]
      as [(Int64, [Violation.Rule])])
  func `a message that was refused is tried again`(wait: Int64, found: [Violation.Rule]) {
    var scene = Scene { $0.messageEvery = .minutes(60) }
    scene.emergency(press)
    scene.see(.calm)
    let message = Message(.update, 2, of: press.name)
    scene.pass(wait)
    scene.handOut(message)
    scene.see(.refused(host: 0, message))
    scene.at(scene.now + 200_000 - wait)
    scene.judge.finish(at: Instant(microseconds: scene.now * 1_000))
    #expect(scene.found == found)
  }
}
