import FobBase
import Judge
import Testing
import WireProtocol

/// Worlds with somebody on the wires, and what the judge says of them.
@Suite struct SealTests {
  /// An alarm of which all is told, in such a world.
  private func told() -> Scene {
    var scene = Scene { $0.isAttacked = true }
    scene.see(.sent(keychain: 0, Event.press(1).identity))
    scene.emergency(.press(1))
    return scene
  }

  @Test func `a press in a keychain's name that none has kept may be left, if they are too many`() {
    var scene = told()
    scene.see(.heardUnproved(host: 0, .press(2)))
    scene.say(.accepted, of: Event.press(1).name)
    #expect(scene.found == [])
  }

  @Test func `one that its keychain has kept is owed its commit, proved or not`() {
    var scene = told()
    scene.press(.press(2))
    scene.see(.heardUnproved(host: 0, .press(2)))
    scene.say(.accepted, of: Event.press(1).name)
    #expect(scene.found == [.lightBeforeCommit])
  }

  @Test func `it may be left behind so many that a line must not bring more`() {
    var scene = told()
    for n in 3...130 { scene.see(.heardUnproved(host: 0, .press(UInt32(n)))) }
    scene.press(.press(2))
    scene.see(.heardUnproved(host: 0, .press(2)))
    scene.say(.accepted, of: Event.press(1).name)
    #expect(scene.found == [])
  }

  @Test func `an event that a core takes for a keychain's own was said by one`() {
    var scene = told()
    scene.see(.heard(host: 0, .press(2)))
    #expect(scene.found == [.unprovedBelieved])
  }
}
