import FobBase
import Judge
import Testing
import WireProtocol

/// From boards to what disks hold.
@Suite struct DiskTests {
  private let press = Event.press(1)
  private let second = Event.press(2)

  @Test func `a kept press that no disk has is lost`() {
    var scene = Scene()
    scene.press(press)
    scene.finish()
    #expect(scene.found == [.pressLost])
  }

  @Test func `a press that a board forgot, or kept in memory until its power went, is excused`() {
    var scene = Scene()
    scene.press(press)
    scene.see(.boardForgot(keychain: 0, press.identity))
    scene.press(second, isVolatile: true)
    scene.see(.power(keychain: 0, isOn: false))
    scene.see(.power(keychain: 0, isOn: true))
    scene.finish()
    #expect(scene.found.isEmpty)
  }

  @Test func `a press in memory is lost while its power stays`() {
    var scene = Scene()
    scene.press(press, isVolatile: true)
    scene.finish()
    #expect(scene.found == [.pressLost])
  }

  @Test(
    arguments: [(1, []), (2, [Violation.Rule.lightBeforeCommit, .pressLost])]
      as [(UInt32, [Violation.Rule])])
  func `a merged press stands for those that it covers`(
    first: UInt32, found: [Violation.Rule]
  ) {
    var scene = Scene()
    let merged = Event.press(2).merged(from: first)
    scene.press(press)
    scene.emergency(merged)
    scene.disarm(merged)
    scene.finish()
    #expect(scene.found == found)
  }

  @Test func `a second entry of a press is doubled, unless the disk lost the first`() {
    var scene = Scene()
    scene.emergency(press)
    scene.see(.stopped(host: 0))
    scene.see(.diskForgot(host: 0, [press.identity]))
    scene.see(.started(host: 0, RestoredState()))
    scene.see(.heard(host: 0, press))
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.store([press], in: press.name, row: .emergencySending)
    #expect(scene.found.isEmpty)
    scene.store([press], in: press.name, row: .emergencySending)
    #expect(scene.found == [.pressDoubled])
  }

  @Test func `two incidents that list one press double it`() {
    var scene = Scene()
    scene.emergency(press)
    scene.disarm(press)
    scene.move(press.name, .emergencyEnded, .noEmergency)
    scene.press(second)
    scene.see(.heard(host: 0, second))
    scene.move(second.name, .noEmergency, .emergencySending)
    scene.store(
      [second], in: second.name, row: .emergencySending,
      presses: [press.identity.number, second.identity.number])
    #expect(scene.found == [.pressDoubled])
  }

  @Test func `presses of two keychains may have one number`() {
    var scene = Scene { $0.keychains = 2 }
    let other = Event.press(1, of: 2)
    scene.emergency(press)
    scene.press(other, keychain: 1)
    scene.see(.heard(host: 0, other))
    scene.store(
      [other], in: press.name, row: .emergencySent,
      presses: [press.identity.number, other.identity.number])
    #expect(scene.found.isEmpty)
  }

  @Test func `an ack needs the entry on the disk of the host that sent it`() {
    var scene = Scene { $0.hosts = 2 }
    scene.emergency(press)
    #expect(scene.found.isEmpty)
    scene.ack(press, host: 1)
    #expect(scene.found == [.ackBeforeCommit])
  }

  @Test func `an ack with another identity is for nothing that is stored`() {
    var scene = Scene()
    scene.emergency(press)
    scene.see(
      .acked(host: 0, press.identity.number, keychain: 0, identityCRC: press.identity.crc ^ 1))
    #expect(scene.found == [.ackBeforeCommit])
  }

  @Test func `an entry that the host never heard is invented`() {
    var scene = Scene()
    scene.press(press)
    scene.store([press], in: press.name, row: .emergencySending)
    #expect(scene.found.contains(.pressInvented))
  }

  @Test func `a press that came and was never kept is explained by a cut, once`() {
    var scene = Scene()
    scene.press(press)
    scene.close()
    scene.pass(20)
    scene.see(.power(keychain: 0, isOn: false))
    scene.open()
    scene.see(.power(keychain: 0, isOn: true))
    scene.see(.heard(host: 0, second))
    scene.pass(1_000)
    scene.show(.sending)
    #expect(scene.found.isEmpty)
    scene.see(.heard(host: 0, .press(3)))
    scene.pass(1_000)
    scene.show(.sending)
    #expect(scene.found == [.pressInvented])
  }

  @Test func `in literal a press is stored in an incident`() {
    var scene = Scene()
    scene.press(press)
    scene.see(.heard(host: 0, press))
    scene.store([press])
    #expect(scene.found == [.incidentNotOpened])
  }

  @Test func `an incident that an entry names is on the disk by the end of its batch`() {
    var scene = Scene()
    scene.press(press)
    scene.see(.heard(host: 0, press))
    scene.store([press], in: press.name)
    #expect(scene.found == [.incidentNotOpened])
  }

  @Test func `in guarded a click need be no alarm, and a hold must`() {
    for (held, found) in [(480, []), (520, [Violation.Rule.incidentNotOpened])] {
      var scene = Scene { $0.isGuarded = true }
      scene.close()
      scene.pass(20)
      scene.keep(press)
      scene.see(.heard(host: 0, press))
      scene.store([press], isOpen: true)
      scene.pass(Int64(held) - 20)
      scene.open()
      scene.pass(700)
      var batch = Batch()
      batch.meanings = [(press.identity, 0)]
      scene.see(.stored(host: 0, batch))
      scene.finish()
      #expect(scene.found == found)
    }
  }

  /// The host's clock does instead, for what comes at once.
  @Test(arguments: [
    (held: 740, storedAfter: 0, found: []), (780, 0, [Violation.Rule.incidentNotOpened]),
    (780, 110, []),
  ]) func `in guarded the clock of a keychain that is wrong does not make a hold a click`(
    _ hold: (held: Int64, storedAfter: Int64, found: [Violation.Rule])
  ) {
    var scene = Scene { $0.isGuarded = true }
    let lie = Event.press(1, clock: 7)
    scene.close()
    scene.pass(20)
    scene.keep(press)
    scene.see(.said(keychain: 0, press, as: lie.identity))
    scene.see(.heard(host: 0, lie))
    scene.pass(hold.storedAfter)
    scene.store([lie], isOpen: true)
    scene.pass(hold.held - 20 - hold.storedAfter)
    scene.open()
    scene.pass(700)
    var batch = Batch()
    batch.meanings = [(lie.identity, 0)]
    scene.see(.stored(host: 0, batch))
    scene.finish()
    #expect(scene.found == hold.found)
  }

  @Test func `in guarded a press that is never read is an alarm missed`() {
    var scene = Scene { $0.isGuarded = true }
    scene.press(press)
    scene.see(.heard(host: 0, press))
    scene.store([press], isOpen: true)
    scene.finish()
    #expect(scene.found == [.incidentNotOpened])
  }

  @Test func `in guarded a press held at boot is an alarm however short`() {
    var scene = Scene { $0.isGuarded = true }
    var held = press
    held.flags.insert(.atBoot)
    scene.press(held)
    scene.see(.heard(host: 0, held))
    scene.store([held])
    scene.finish()
    #expect(scene.found == [.incidentNotOpened])
  }

  @Test func `what a keychain still holds at the end was not acked in time`() {
    var scene = Scene()
    scene.see(.calm)
    scene.pass(100_000)
    scene.see(.unacked(keychain: 0, count: 0))
    scene.judge.finish(at: Instant(microseconds: scene.now * 1_000))
    #expect(scene.found.isEmpty)
    scene.see(.unacked(keychain: 0, count: 1))
    scene.judge.finish(at: Instant(microseconds: scene.now * 1_000))
    #expect(scene.found == [.notAckedInTime])
  }
}
