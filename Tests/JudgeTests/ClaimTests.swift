import FobBase
import Judge
import Testing
import WireProtocol

/// What lights and answers claim.
@Suite struct ClaimTests {
  private let press = Event.press(1)
  private let second = Event.press(2)

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

  @Test(arguments: [(true, []), (false, [.lightBeforeCommit])] as [(Bool, [Violation.Rule])])
  func `acknowledged waits for somebody who has said so`(isSaid: Bool, found: [Violation.Rule]) {
    var scene = Scene()
    scene.emergency(press)
    if isSaid { scene.see(.asked(host: 0, request: 1, .acknowledge(contact: 0))) }
    scene.say(.acknowledged, of: press.name)
    #expect(scene.found == found)
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

  @Test(
    arguments: [(7_700, []), (7_701, [Violation.Rule.lightBeforeCommit])]
      as [(Int64, [Violation.Rule])])
  func `a line that is late makes the lease of a dead host last as much longer`(
    after: Int64, found: [Violation.Rule]
  ) {
    var scene = Scene { $0.lineDelay = .milliseconds(1_700) }
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

  @Test(arguments: [(1, []), (0, [.answerBeforeCommit])] as [(Int, [Violation.Rule])])
  func `who has it in hand on the disk may be told so again`(
    contact: Int, found: [Violation.Rule]
  ) {
    var scene = Scene()
    scene.emergency(press)
    scene.store(
      in: press.name, row: .emergencySent, presses: [press.identity.number],
      acknowledgedBy: [1])
    scene.see(.asked(host: 0, request: 1, .acknowledge(contact: contact)))
    scene.see(
      .answered(host: 0, request: 1, .emergencySent, isRefused: false, isDurable: true))
    #expect(scene.found == found)
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
        scene.see(.started(host: 0, RestoredState()))
      }
      scene.finish()
      #expect(scene.found == found)
    }
  }
}
