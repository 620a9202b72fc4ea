import FobBase
import Judge
import Testing
import WireProtocol

/// What a program raises from outside.
@Suite struct TriggerTests {
  private static let name: UInt64 = 0xF0B
  private let press = Event.press(1)
  private let trigger = UserRequest.trigger(.bench(1), key: "1", incident: Self.name)

  private func scene(isProtecting: Bool = true) -> Scene {
    Scene(account: AccountState(contacts: [0, 1], isProtecting: isProtecting)) {
      $0.triggerCountdown = .seconds(10)
    }
  }

  /// Its countdown has begun, and is on the disk.
  private func counting() -> Scene {
    var scene = scene()
    scene.see(.asked(host: 0, request: 1, trigger))
    scene.move(Self.name, .noEmergency, .alertCountdown)
    scene.store(in: Self.name, row: .alertCountdown)
    scene.see(.answered(host: 0, request: 1, .alertCountdown, isRefused: false, isDurable: true))
    return scene
  }

  @Test(
    arguments: [(10_000, []), (9_849, [.timerEarly]), (10_151, [.timerMissing])]
      as [(Int64, [Violation.Rule])])
  func `a trigger begins its countdown, and then people are told`(
    after: Int64, found: [Violation.Rule]
  ) {
    var scene = counting()
    scene.pass(after)
    scene.move(Self.name, .alertCountdown, .emergencySending)
    scene.tell(.raise, 1, of: Self.name)
    #expect(scene.found == found)
  }

  @Test func `a trigger that opens nothing is guilty`() {
    var scene = scene()
    scene.see(.asked(host: 0, request: 1, trigger))
    scene.pass(101)
    scene.say(.idle)
    #expect(scene.found == [.triggerIgnored])
  }

  @Test func `so is one that is refused`() {
    var scene = scene()
    scene.see(.asked(host: 0, request: 1, trigger))
    scene.see(.answered(host: 0, request: 1, .noEmergency, isRefused: true, isDurable: true))
    #expect(scene.found == [.triggerIgnored])
  }

  @Test func `while nobody is protected it has to open nothing, and may not`() {
    var scene = scene(isProtecting: false)
    scene.see(.asked(host: 0, request: 1, trigger))
    scene.see(.answered(host: 0, request: 1, .noEmergency, isRefused: true, isDurable: true))
    scene.pass(200)
    scene.say(.idle)
    #expect(scene.found.isEmpty)
    scene.move(Self.name, .noEmergency, .alertCountdown)
    #expect(scene.found == [.incidentInvented])
  }

  @Test func `the same trigger opens one incident`() {
    var scene = counting()
    scene.see(.asked(host: 0, request: 2, .disarm))
    scene.move(Self.name, .alertCountdown, .emergencyEnded)
    scene.store(in: Self.name, row: .emergencyEnded)
    scene.see(.asked(host: 0, request: 3, trigger))
    scene.see(.answered(host: 0, request: 3, .emergencyEnded, isRefused: false, isDurable: true))
    #expect(scene.found.isEmpty)
    scene.move(Self.name, .emergencyEnded, .noEmergency)
    scene.move(Self.name, .noEmergency, .alertCountdown)
    #expect(scene.found == [.incidentInvented])
  }

  @Test func `one that a crash has undone may open it again`() {
    var scene = scene()
    scene.see(.asked(host: 0, request: 1, trigger))
    scene.move(Self.name, .noEmergency, .alertCountdown)
    scene.see(.stopped(host: 0))
    scene.see(
      .account(host: 0, AccountState(contacts: [0, 1], isProtecting: true)))
    scene.see(.started(host: 0, RestoredState()))
    scene.see(.asked(host: 0, request: 2, trigger))
    scene.move(Self.name, .noEmergency, .alertCountdown)
    #expect(scene.found.isEmpty)
  }

  @Test
  func `one that only joined an alarm may open one after a start, in place of an unclaimed one`() {
    let account = AccountState(keychains: [.bench(1)], contacts: [0, 1], isProtecting: true)
    let strangers = Event.press(1, of: 2)
    var scene = Scene(account: account) { $0.keychains = 2 }
    scene.emergency(press)
    scene.see(.asked(host: 0, request: 2, trigger))
    scene.see(.answered(host: 0, request: 2, .emergencySent, isRefused: false, isDurable: true))
    scene.disarm(press)
    scene.see(.stopped(host: 0))
    scene.see(.account(host: 0, account))
    scene.see(.started(host: 0, RestoredState(incident: press.name, state: .emergencyEnded)))
    scene.move(press.name, .emergencyEnded, .noEmergency)
    scene.stranger(strangers, keychain: 1)
    scene.see(.asked(host: 0, request: 3, trigger))
    scene.move(strangers.name, .emergencySendingFailed, .emergencyEnded)
    scene.move(strangers.name, .emergencyEnded, .noEmergency)
    scene.move(Self.name, .noEmergency, .alertCountdown)
    #expect(scene.found.isEmpty)
  }

  @Test func `it is durable once its incident is on the disk`() {
    var scene = scene()
    scene.see(.asked(host: 0, request: 1, trigger))
    scene.move(Self.name, .noEmergency, .alertCountdown)
    scene.see(.answered(host: 0, request: 1, .alertCountdown, isRefused: false, isDurable: true))
    #expect(scene.found == [.answerBeforeCommit])
  }

  @Test(arguments: [true, false]) func `so is the light that says accepted`(isStored: Bool) {
    var scene = scene()
    scene.see(.asked(host: 0, request: 1, trigger))
    scene.move(Self.name, .noEmergency, .alertCountdown)
    if isStored { scene.store(in: Self.name, row: .alertCountdown) }
    scene.pass(10_000)
    scene.move(Self.name, .alertCountdown, .emergencySending)
    scene.tell(.raise, 1, of: Self.name)
    scene.move(Self.name, .emergencySending, .emergencySent)
    scene.say(.accepted, of: Self.name)
    #expect(scene.found == (isStored ? [] : [.lightBeforeCommit]))
  }

  @Test(
    arguments: [(1_000, []), (1_001, [Violation.Rule.pressUntold])]
      as [(Int64, [Violation.Rule])])
  func `a press in its countdown is told within a second`(
    after: Int64, found: [Violation.Rule]
  ) {
    var scene = counting()
    scene.close()
    scene.pass(20)
    scene.keep(press)
    scene.see(.heard(host: 0, press))
    scene.store([press], in: Self.name)
    scene.pass(after)
    scene.move(Self.name, .alertCountdown, .emergencySending)
    scene.tell(.raise, 1, of: Self.name)
    #expect(scene.found == found)
  }

  @Test func `of what a trigger has raised the end is told`() {
    var scene = counting()
    scene.pass(10_000)
    scene.move(Self.name, .alertCountdown, .emergencySending)
    scene.tell(.raise, 1, of: Self.name)
    scene.see(.asked(host: 0, request: 2, .disarm))
    scene.move(Self.name, .emergencySending, .emergencyEnded)
    scene.store(in: Self.name, row: .emergencyEnded)
    scene.see(.answered(host: 0, request: 2, .emergencyEnded, isRefused: false, isDurable: true))
    scene.finish()
    #expect(scene.found == [.endNotTold, .endNotTold])
  }
}
