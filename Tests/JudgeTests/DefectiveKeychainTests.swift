import FobBase
import Judge
import Testing
import WireProtocol

/// Keychains that are defective or lie: their presses count whatever they say, and nobody else is
/// harmed.
@Suite struct DefectiveKeychainTests {
  private let press = Event.press(1)
  private let second = Event.press(2)

  /// The same press under another number, by another clock.
  private func lie(_ event: Event, n: UInt32, of serial: UInt32 = 1) -> Event {
    var lie = Event.press(n, of: serial)
    lie.flags = event.flags
    return lie
  }

  private func say(_ event: Event, as lie: Event, keychain: Int = 0) -> Observation {
    .said(keychain: keychain, event, as: lie.identity)
  }

  @Test func `a press made after a disarm is none of what is over, however it is numbered`() {
    var scene = Scene()
    scene.emergency(press)
    scene.disarm(press)
    scene.pass(10_000)
    let lie = lie(second, n: 0)
    scene.press(second)
    scene.see(say(second, as: lie))
    scene.see(.heard(host: 0, lie))
    scene.store([lie], in: press.name)
    #expect(scene.found == [.incidentNotOpened])
  }

  // MARK: What it says

  @Test func `a press that is said otherwise than it was kept is that press`() {
    var scene = Scene()
    let lie = lie(press, n: 4_711)
    scene.press(press)
    scene.see(say(press, as: lie))
    scene.see(.heard(host: 0, lie))
    scene.move(lie.name, .noEmergency, .emergencySending)
    scene.store([lie], in: lie.name, row: .emergencySending)
    scene.tell(.raise, 1, of: lie.name)
    scene.move(lie.name, .emergencySending, .emergencySent)
    scene.store(in: lie.name, row: .emergencySent, presses: [lie.identity.number])
    scene.say(.accepted, of: lie.name)
    scene.show(.accepted)
    scene.finish()
    #expect(scene.judge.violations.isEmpty)
  }

  @Test func `a press that is said otherwise, and is on no disk, is lost`() {
    var scene = Scene()
    scene.press(press)
    scene.see(say(press, as: lie(press, n: 4_711)))
    scene.finish()
    #expect(scene.found == [.pressLost])
  }

  @Test func `what nobody kept is invented, whatever is said otherwise`() {
    var scene = Scene()
    scene.press(press)
    scene.see(say(press, as: lie(press, n: 4_711)))
    scene.see(.heard(host: 0, lie(press, n: 4_712)))
    scene.pass(101)
    scene.open()
    #expect(scene.found == [.pressInvented])
  }

  // MARK: The very same said twice

  @Test func `the very same identity said twice is one entry`() {
    var scene = Scene()
    scene.emergency(press)
    scene.pass(10_000)
    scene.press(second)
    scene.see(say(second, as: press))
    scene.see(.heard(host: 0, press))
    scene.ack(press)
    scene.show(.accepted)
    scene.pass(2_000)
    scene.tell(.again, 2, of: press.name)
    scene.pass(1)
    #expect(scene.judge.violations.filter { $0.rule != .timerEarly }.isEmpty)
  }

  @Test func `another identity said of another press is another entry`() {
    var scene = Scene()
    scene.emergency(press)
    scene.disarm(press)
    scene.pass(10_000)
    scene.press(second)
    scene.see(say(second, as: lie(second, n: 3)))
    scene.see(.heard(host: 0, press))
    scene.finish()
    #expect(scene.found == [.pressLost])
  }

  // MARK: Neighbours

  @Test func `what a defective keychain says under another's name takes nothing from that one`() {
    var scene = Scene { $0.keychains = 2 }
    let own = Event.press(1, of: 2)
    var lie = Event.press(9, of: 1)
    lie = lie.merged(from: 1)
    scene.press(press)
    scene.press(own, keychain: 1)
    scene.see(say(own, as: lie, keychain: 1))
    scene.see(.heard(host: 0, lie))
    scene.move(lie.name, .noEmergency, .emergencySending)
    scene.store([lie], in: lie.name, row: .emergencySending)
    scene.tell(.raise, 1, of: lie.name)
    scene.finish()
    #expect(scene.found.contains(.pressLost))
    #expect(scene.judge.violations.contains { $0.detail.contains("keychain 1 kept event 1.1") })
  }

  @Test func `for whom a merged press stands is told by the record that was kept`() {
    var scene = Scene()
    let lie = lie(second, n: 4_711)
    scene.press(press)
    let merged = second.merged(from: 1)
    scene.press(merged)
    scene.see(say(merged, as: lie))
    scene.see(.heard(host: 0, lie))
    scene.move(lie.name, .noEmergency, .emergencySending)
    scene.store([lie], in: lie.name, row: .emergencySending)
    scene.tell(.raise, 1, of: lie.name)
    scene.say(.accepted, of: lie.name)
    scene.show(.accepted)
    #expect(scene.judge.violations.filter { $0.rule == .lightBeforeCommit }.isEmpty)
  }
}
