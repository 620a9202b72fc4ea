import FobBase
import Judge
import Testing
import WireProtocol

/// A keychain whose line stands at a bridge elsewhere.
@Suite struct BridgeTests {
  private let press = Event.press(1)

  private func scene(_ change: (inout Rules) -> Void = { _ in }) -> Scene {
    Scene {
      $0.bridged = [0]
      $0.feedDelay = .milliseconds(100)
      change(&$0)
    }
  }

  private static let ends: [(Int64, [Violation.Rule])] = [
    (11_100, []), (11_101, [.lightBeforeCommit]),
  ]

  @Test(arguments: ends)
  func `a bridge that has lost its core goes on for 5 s, and a light for a lease more`(
    after: Int64, found: [Violation.Rule]
  ) {
    var scene = scene()
    scene.emergency(press)
    scene.see(.cutOff(keychain: 0, true))
    scene.pass(after)
    scene.show(.unclaimed)
    #expect(scene.found == found)
  }

  @Test(arguments: ends)
  func `the same holds where the core is down`(after: Int64, found: [Violation.Rule]) {
    var scene = scene()
    scene.emergency(press)
    scene.see(.stopped(host: 0))
    scene.pass(after)
    scene.show(.unclaimed)
    #expect(scene.found == found)
  }

  @Test func `a core that is in reach again may be believed`() {
    var scene = scene()
    scene.emergency(press)
    scene.see(.cutOff(keychain: 0, true))
    scene.pass(11_000)
    scene.see(.cutOff(keychain: 0, false))
    scene.pass(11_000)
    scene.show(.accepted)
    #expect(scene.found.isEmpty)
  }

  @Test(arguments: [true, false])
  func `what was said while nothing passed comes late, and is shown for a moment`(isSaid: Bool) {
    var scene = scene()
    scene.emergency(press)
    scene.say(.ended, of: press.name)
    scene.show(.ended)
    scene.pass(20_000)
    scene.see(.cutOff(keychain: 0, true))
    if isSaid { scene.say(.accepted, of: press.name) }
    scene.say(.ended, of: press.name)
    scene.pass(5_000)
    scene.see(.cutOff(keychain: 0, false))
    scene.show(.accepted)
    #expect(scene.found == (isSaid ? [] : [.lightBeforeCommit]))
  }

  @Test(arguments: [(1, []), (0, [Violation.Rule.lightBeforeCommit])] as [(Int, [Violation.Rule])])
  func `a light says what its own keychain was told last`(told: Int, found: [Violation.Rule]) {
    var scene = Scene { $0.keychains = 2 }
    scene.emergency(press)
    scene.see(.indicated(host: 0, incident: 0, .unclaimed, sounder: false, to: [told]))
    scene.pass(6_001)
    scene.show(.unclaimed)
    #expect(scene.found == found)
  }

  @Test(arguments: [true, false])
  func `an ack may come by a bridge when the disk has lost what it is for`(isBridged: Bool) {
    var scene = scene { if !isBridged { $0.bridged = [] } }
    scene.emergency(press)
    scene.see(.stopped(host: 0))
    scene.see(.diskForgot(host: 0, [press.identity]))
    scene.ack(press)
    #expect(scene.found == (isBridged ? [] : [.ackBeforeCommit]))
  }

  @Test func `an ack of what no disk ever had is early, by whomever it comes`() {
    var scene = scene()
    scene.press(press)
    scene.see(.heard(host: 0, press))
    scene.ack(press)
    #expect(scene.found == [.ackBeforeCommit])
  }
}
