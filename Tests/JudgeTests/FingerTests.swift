import FobBase
import Judge
import Testing
import WireProtocol

/// From fingers to what boards keep.
@Suite struct FingerTests {
  private let press = Event.press(1)

  @Test func `a world in which nothing happens is innocent`() {
    var scene = Scene()
    scene.finish()
    #expect(scene.found.isEmpty)
  }

  @Test func `an emergency from the finger to its end is innocent`() {
    var scene = Scene()
    scene.emergency(press)
    scene.pass(1_000)
    scene.disarm(press)
    scene.finish()
    #expect(scene.judge.violations.isEmpty)
  }

  @Test(
    arguments: [(100, []), (102, [Violation.Rule.pressUnheard])] as [(Int64, [Violation.Rule])])
  func `a clean contact of 15 ms is kept within 100 ms`(late: Int64, found: [Violation.Rule]) {
    var scene = Scene()
    scene.close()
    scene.pass(16 + late)
    scene.keep(press)
    #expect(scene.found == found)
  }

  @Test func `a clean contact under three quarters of the debounce time need not be kept`() {
    var scene = Scene()
    scene.close()
    scene.pass(14)
    scene.open()
    scene.finish()
    #expect(scene.found.isEmpty)
  }

  @Test func `chatter that comes to the debounce time is a press`() {
    var scene = Scene()
    for _ in 0..<6 {
      scene.close()
      scene.pass(6)
      scene.open()
      scene.pass(2)
    }
    scene.pass(500)
    scene.judge.finish(at: Instant(microseconds: 1_000_000))
    #expect(scene.found == [.pressUnheard])
  }

  @Test func `chatter is not held against a board whose clock may jump`() {
    var scene = Scene { $0.isKeychainClockSteady = false }
    for _ in 0..<6 {
      scene.close()
      scene.pass(6)
      scene.open()
      scene.pass(2)
    }
    scene.close()
    scene.pass(10)
    scene.open()
    scene.finish()
    #expect(scene.found.isEmpty)
  }

  @Test func `a press is excused when the power goes before it is kept`() {
    var scene = Scene()
    scene.close()
    scene.pass(50)
    scene.see(.power(keychain: 0, isOn: false))
    scene.finish()
    #expect(scene.found.isEmpty)
  }

  @Test(arguments: [false, true])
  func `a button closed at power-on is a press or a stuck button`(isKept: Bool) {
    var scene = Scene()
    scene.see(.power(keychain: 0, isOn: false))
    scene.close()
    scene.pass(10)
    scene.see(.power(keychain: 0, isOn: true))
    scene.pass(20)
    if isKept { scene.keep(press, isVolatile: true) }
    scene.pass(1_000)
    scene.open()
    scene.see(.power(keychain: 0, isOn: false))
    scene.finish()
    #expect(scene.found.isEmpty)
  }

  @Test(
    arguments: [(100, []), (101, [Violation.Rule.pressInvented])] as [(Int64, [Violation.Rule])])
  func `a press kept without a contact is invented`(late: Int64, found: [Violation.Rule]) {
    var scene = Scene()
    scene.close()
    scene.pass(10)
    scene.open()
    scene.pass(late)
    scene.keep(press)
    #expect(scene.found == found)
  }

  @Test func `a contact makes one event, kept as often as the store likes`() {
    var scene = Scene()
    scene.close()
    scene.pass(20)
    scene.keep(press, isVolatile: true)
    scene.pass(1_000)
    scene.keep(press)
    #expect(scene.found.isEmpty)
    scene.keep(.press(2))
    #expect(scene.found == [.pressDoubled])
  }

  @Test func `clicks in quick succession are presses of their own`() {
    var scene = Scene()
    for click in 1...7 {
      scene.close()
      scene.pass(25)
      scene.keep(.press(UInt32(click)))
      scene.pass(25)
      scene.open()
      scene.pass(25)
    }
    #expect(scene.found.isEmpty)
    scene.close()
    scene.pass(200)
    scene.open()
    #expect(scene.found == [.pressUnheard])
  }
}
