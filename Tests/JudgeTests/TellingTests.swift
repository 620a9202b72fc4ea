import FobBase
import Judge
import Testing
import WireProtocol

/// What people are told, and what lights and answers claim.
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

  @Test func `one deadline tells people again once`() {
    var scene = Scene()
    scene.emergency(press)
    scene.pass(300_000)
    scene.tell(.again, 2, of: press.name)
    scene.pass(1_000)
    scene.tell(.again, 3, of: press.name)
    #expect(scene.found == [.timerDoubled])
  }

  @Test func `a message held back by a slow way out does not make the next one early`() {
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
    scene.see(.started(host: 0, Standing(incident: press.name, state: .emergencySent)))
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

  @Test func `a way out that took a message after a minute of silence is excused`() {
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
      scene.see(.started(host: 0, Standing()))
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
    scene.see(.started(host: 0, Standing()))
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

  @Test func `accepted waits for the disk`() {
    var scene = Scene()
    scene.emergency(press)
    scene.see(.heard(host: 0, second))
    scene.say(.accepted, of: press.name)
    #expect(scene.found == [.lightBeforeCommit])
  }

  @Test func `accepted waits for somebody who was told`() {
    var scene = Scene()
    scene.press(press)
    scene.see(.heard(host: 0, press))
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.store([press], in: press.name, row: .emergencySending)
    scene.say(.sending, of: press.name)
    #expect(scene.found.isEmpty)
    scene.say(.accepted, of: press.name)
    #expect(scene.found == [.lightBeforeCommit])
  }

  @Test(arguments: [ShownState.accepted, .acknowledged, .ended, .idle])
  func `a light claims nothing while a press is on no disk`(state: ShownState) {
    var scene = Scene()
    scene.emergency(press)
    scene.show(state)
    scene.press(second)
    #expect(scene.found.isEmpty)
    scene.show(state)
    #expect(scene.found == [.lightBeforeCommit])
  }

  @Test(
    arguments: [(100, []), (101, [Violation.Rule.lightBeforeCommit])] as [(Int64, [Violation.Rule])]
  )
  func `a new press changes the light at once`(after: Int64, found: [Violation.Rule]) {
    var scene = Scene()
    scene.show(.idle)
    scene.close()
    scene.pass(20)
    scene.keep(press)
    scene.pass(after)
    scene.show(.sending)
    #expect(scene.found == found)
  }

  @Test func `a board that forgot its press may show what it likes`() {
    var scene = Scene()
    scene.press(press)
    scene.see(.boardForgot(keychain: 0, press.identity))
    scene.show(.idle)
    #expect(scene.found.isEmpty)
  }

  @Test(
    arguments: [(6_000, []), (6_001, [Violation.Rule.lightBeforeCommit])]
      as [(Int64, [Violation.Rule])])
  func `a light does not outlive the lease of a host that is down`(
    after: Int64, found: [Violation.Rule]
  ) {
    var scene = Scene()
    scene.emergency(press)
    scene.see(.stopped(host: 0))
    scene.pass(after)
    scene.show(.unclaimed)
    #expect(scene.found == found)
  }

  @Test func `durable means that the disk has it`() {
    var scene = Scene()
    scene.emergency(press)
    scene.see(.asked(host: 0, request: 1, .disarm))
    scene.move(press.name, .emergencySent, .emergencyEnded)
    scene.see(
      .answered(host: 0, request: 1, .emergencyEnded, isRefused: false, isDurable: true))
    #expect(scene.found == [.answerBeforeCommit])
  }

  @Test func `an answer that claims nothing needs no disk`() {
    var scene = Scene()
    scene.emergency(press)
    scene.see(.asked(host: 0, request: 1, .acknowledge(contact: 1)))
    scene.see(
      .answered(host: 0, request: 1, .emergencySent, isRefused: false, isDurable: false))
    #expect(scene.found.isEmpty)
    scene.see(.asked(host: 0, request: 2, .acknowledge(contact: 1)))
    scene.see(
      .answered(host: 0, request: 2, .emergencySent, isRefused: false, isDurable: true))
    #expect(scene.found == [.answerBeforeCommit])
  }

  @Test func `a request is answered once`() {
    var scene = Scene()
    scene.see(.asked(host: 0, request: 1, .resume))
    scene.see(.answered(host: 0, request: 1, .noEmergency, isRefused: true, isDurable: true))
    #expect(scene.found.isEmpty)
    scene.see(.answered(host: 0, request: 1, .noEmergency, isRefused: true, isDurable: true))
    #expect(scene.found == [.answerDoubled])
  }

  @Test func `a request is answered while its host runs on`() {
    for (isStopped, found) in [(true, []), (false, [Violation.Rule.answerMissing])] {
      var scene = Scene()
      scene.see(.asked(host: 0, request: 1, .silence))
      if isStopped {
        scene.see(.stopped(host: 0))
        scene.see(.started(host: 0, Standing()))
      }
      scene.finish()
      #expect(scene.found == found)
    }
  }
}
