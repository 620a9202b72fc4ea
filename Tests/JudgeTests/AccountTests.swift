import FobBase
import Judge
import Testing
import WireProtocol

/// Whose keychain it is, and who is told.
@Suite struct AccountTests {
  private let press = Event.press(1)
  private let second = Event.press(2)
  private let strangers = Event.press(1, of: 2)
  private let loggedIn = AccountState(contacts: [0, 1])
  private let loggedOut = AccountState(contacts: [0, 1], isLoggedIn: false)

  /// Of two keychains the first is the account's.
  private func scene() -> Scene {
    Scene(account: AccountState(keychains: [.bench(1)], contacts: [0, 1])) { $0.keychains = 2 }
  }

  // MARK: Unclaimed

  @Test(arguments: [false, true])
  func `an unclaimed incident is told to nobody`(isTold: Bool) {
    var scene = scene()
    scene.stranger(strangers, keychain: 1)
    if isTold { scene.handOut(Message(.raise, 1, of: strangers.name)) }
    #expect(scene.found == (isTold ? [.wronglyTold] : []))
    if !isTold { scene.finish() }
    #expect(scene.found == (isTold ? [.wronglyTold] : []))
  }

  @Test func `nor is it while nobody is logged in`() {
    var scene = Scene(account: loggedOut)
    scene.stranger(press)
    scene.handOut(Message(.raise, 1, of: press.name))
    #expect(scene.found == [.wronglyTold])
  }

  @Test func `whoever was told before a login was lost with its commit hears no end: excused`() {
    var scene = Scene(account: loggedOut)
    scene.change(.logIn, to: loggedIn)
    scene.press(press)
    scene.see(.heard(host: 0, press))
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.tell(.raise, 1, of: press.name)
    scene.see(.stopped(host: 0))
    scene.see(.account(host: 0, loggedOut))
    scene.see(.started(host: 0, RestoredState()))
    scene.see(.heard(host: 0, press))
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.move(press.name, .emergencySending, .emergencySendingFailed)
    scene.store([press], in: press.name, row: .emergencySendingFailed)
    scene.say(.failed, of: press.name)
    scene.show(.failed)
    scene.finish()
    #expect(scene.found.isEmpty)
  }

  @Test func `where the login was kept the end is owed`() {
    var scene = Scene(account: loggedOut)
    scene.change(.logIn, to: loggedIn)
    scene.store(loggedIn)
    scene.see(.answered(host: 0, request: 70, .noEmergency, isRefused: false, isDurable: true))
    scene.emergency(press)
    scene.disarm(press, closes: false)
    scene.show(.ended)
    scene.finish()
    #expect(scene.found == [.endNotTold, .endNotTold])
  }

  @Test(
    arguments: [
      (UserRequest.endUnowned, []), (.disarm, [.timerEarly]), (.cancel, [.timerEarly]),
      (nil, [.timerEarly]),
    ] as [(UserRequest?, [Violation.Rule])])
  func `an administrator alone ends what is unclaimed`(
    userRequest: UserRequest?, found: [Violation.Rule]
  ) {
    var scene = scene()
    scene.stranger(strangers, keychain: 1)
    scene.pass(1_000)
    if let userRequest { scene.see(.asked(host: 0, request: 1, userRequest)) }
    scene.move(strangers.name, .emergencySendingFailed, .emergencyEnded)
    #expect(scene.found == found)
  }

  @Test func `and nothing else`() {
    var scene = Scene()
    scene.emergency(press)
    scene.see(.asked(host: 0, request: 1, .endUnowned))
    scene.move(press.name, .emergencySent, .emergencyEnded)
    #expect(scene.found == [.timerEarly])
  }

  @Test(
    arguments: [(1_000, []), (1_001, [Violation.Rule.pressUntold])]
      as [(Int64, [Violation.Rule])])
  func `a press of the owner's ends what is unclaimed, and is told`(
    after: Int64, found: [Violation.Rule]
  ) {
    var scene = scene()
    scene.stranger(strangers, keychain: 1)
    scene.close()
    scene.pass(20)
    scene.keep(press)
    scene.see(.heard(host: 0, press))
    scene.move(strangers.name, .emergencySendingFailed, .emergencyEnded)
    scene.move(strangers.name, .emergencyEnded, .noEmergency)
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.store([press], in: press.name, row: .emergencySending)
    scene.pass(after)
    scene.tell(.raise, 1, of: press.name)
    #expect(scene.found == found)
  }

  /// Of that press the light of its keychain says by itself that it waits.
  @Test func `a light of the owner's says nothing of a press that was unclaimed when it came`() {
    var scene = Scene(account: loggedOut)
    scene.press(press)
    scene.see(.heard(host: 0, press))
    scene.change(.logIn, to: loggedIn)
    let own = Event.press(1, of: 3)
    scene.see(.heard(host: 0, own))
    scene.move(own.name, .noEmergency, .emergencySending)
    scene.store([own], in: own.name, row: .emergencySending)
    scene.tell(.raise, 1, of: own.name)
    scene.move(own.name, .emergencySending, .emergencySent)
    scene.say(.accepted, of: own.name)
    #expect(scene.found.isEmpty)
  }

  @Test func `a stranger's press prolongs no alarm of the owner's`() {
    var scene = Scene(account: AccountState(keychains: [.bench(1)], contacts: [0, 1])) {
      $0.keychains = 2
      $0.messageEvery = .minutes(60)
    }
    scene.emergency(press)
    scene.pass(1_000_000)
    scene.press(strangers, keychain: 1)
    scene.see(.heard(host: 0, strangers))
    scene.store([strangers], in: press.name)
    scene.pass(801_000)
    scene.show(.accepted)
    #expect(scene.found == [.incidentOverdue])
  }

  // MARK: Changes

  @Test func `a change that was asked for is one, and stands after a start`() {
    let claimed = AccountState(keychains: [.bench(1), .bench(2)], contacts: [0, 1])
    var scene = scene()
    scene.change(.claim(.bench(2)), to: claimed)
    scene.store(claimed)
    scene.see(.answered(host: 0, request: 70, .noEmergency, isRefused: false, isDurable: true))
    scene.see(.stopped(host: 0))
    scene.see(.account(host: 0, claimed))
    scene.see(.started(host: 0, RestoredState()))
    #expect(scene.found.isEmpty)
  }

  @Test func `a start that forgets a stored change is guilty`() {
    let claimed = AccountState(keychains: [.bench(1), .bench(2)], contacts: [0, 1])
    var scene = scene()
    scene.change(.claim(.bench(2)), to: claimed)
    scene.store(claimed)
    scene.see(.stopped(host: 0))
    scene.see(.account(host: 0, AccountState(keychains: [.bench(1)], contacts: [0, 1])))
    #expect(scene.found == [.stateForgotten])
  }

  @Test func `a change is durable once the disk has it`() {
    var scene = Scene(account: loggedIn)
    scene.change(.logOut, to: loggedOut)
    scene.see(.answered(host: 0, request: 70, .noEmergency, isRefused: false, isDurable: true))
    #expect(scene.found == [.answerBeforeCommit])
  }

  @Test func `a change that nobody asked for is guilty`() {
    var scene = Scene(account: loggedIn)
    scene.change(.logOut, to: AccountState(contacts: [0]))
    #expect(scene.found == [.accountChanged])
  }

  @Test func `so is one in the middle of an alarm`() {
    var scene = Scene(account: loggedIn)
    scene.emergency(press)
    scene.change(.logOut, to: loggedOut)
    #expect(scene.found == [.accountChanged])
  }

  @Test func `what is unclaimed locks nothing`() {
    var scene = Scene(account: loggedOut)
    scene.stranger(press)
    scene.change(.logIn, to: loggedIn)
    #expect(scene.found.isEmpty)
  }

  @Test func `who was removed is told no more, and who was added is`() {
    var scene = Scene(account: AccountState(contacts: [0, 1])) { $0.contacts = 3 }
    scene.change(.removeContact(1), to: AccountState(contacts: [0]))
    scene.change(.addContact, to: AccountState(contacts: [0, 2]), request: 71)
    scene.press(press)
    scene.see(.heard(host: 0, press))
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.handOut(Message(.raise, 1, of: press.name, to: 0))
    scene.handOut(Message(.raise, 1, of: press.name, to: 2))
    #expect(scene.found.isEmpty)
    scene.handOut(Message(.raise, 1, of: press.name, to: 1))
    #expect(scene.found == [.wronglyTold])
  }

  /// A press that came late, and was made before the disarm, may have been told by another name.
  @Test(arguments: [false, true])
  func `who was added after the end hears it only where it closes another name`(
    closesAnother: Bool
  ) {
    var scene = Scene(account: AccountState(contacts: [0])) { $0.contacts = 2 }
    scene.press(press)
    scene.see(.heard(host: 0, press))
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.handOut(Message(.raise, 1, of: press.name))
    scene.see(.asked(host: 0, request: 1, .disarm))
    scene.move(press.name, .emergencySending, .emergencyEnded)
    scene.change(.addContact, to: AccountState(contacts: [0, 1]), request: 71)
    scene.handOut(
      Message(
        .closing, 9, of: press.name, to: 1, aliases: closesAnother ? [second.name] : []))
    #expect(scene.found == (closesAnother ? [] : [.wronglyTold]))
  }

  @Test(arguments: [false, true])
  func `an end that a crash has cut off comes again, also to who was removed since`(
    wasHanded: Bool
  ) {
    var scene = Scene(account: AccountState(contacts: [0, 1])) { $0.countdown = .seconds(10) }
    scene.hear(press)
    scene.move(press.name, .noEmergency, .alertCountdown)
    scene.store([press], in: press.name, row: .alertCountdown)
    scene.see(.asked(host: 0, request: 1, .disarm))
    scene.move(press.name, .alertCountdown, .emergencyEnded)
    scene.store(in: press.name, row: .emergencyEnded, presses: [press.identity.number])
    let closing = Message(.closing, 1, of: press.name, to: 1)
    if wasHanded { scene.handOut(closing) }
    let account = AccountState(contacts: [0])
    scene.change(.removeContact(1), to: account)
    scene.store(account)
    scene.see(.stopped(host: 0))
    scene.see(.account(host: 0, account))
    scene.see(.started(host: 0, RestoredState(incident: press.name, state: .emergencyEnded)))
    scene.handOut(closing)
    #expect(scene.found == (wasHanded ? [] : [.wronglyTold]))
  }
}
