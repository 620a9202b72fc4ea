import FobBase
import Judge
import Testing
import WireProtocol

/// Several notification channels of one contact.
@Suite struct WayTests {
  private let press = Event.press(1)

  private func message(_ kind: Message.Kind = .update, _ sequence: Int = 2, way: Int) -> Message {
    var message = Message(kind, sequence, of: press.name)
    message.way = way
    return message
  }

  /// An alarm that is told, and an update that the first of three ways refuses.
  private func refused() -> Scene {
    var scene = Scene { $0.ways = 3 }
    scene.emergency(press)
    scene.handOut(message(way: 0))
    scene.pass(20)
    scene.see(.refused(host: 0, message(way: 0)))
    return scene
  }

  @Test(
    arguments: [(100, []), (101, [Violation.Rule.wayForgotten])] as [(Int64, [Violation.Rule])])
  func `after a refusal the next way is tried at once`(after: Int64, found: [Violation.Rule]) {
    var scene = refused()
    scene.pass(after)
    scene.handOut(message(way: 1))
    scene.show(.accepted)
    #expect(scene.found == found)
  }

  @Test(arguments: [0, 2]) func `and no other`(way: Int) {
    var scene = refused()
    scene.handOut(message(way: way))
    #expect(scene.found == [.wayForgotten])
  }

  @Test func `after the last way has refused, the next round may wait`() {
    var scene = refused()
    for way in 1...2 {
      scene.handOut(message(way: way))
      scene.see(.refused(host: 0, message(way: way)))
    }
    scene.pass(1_000)
    scene.handOut(message(way: 0))
    scene.show(.accepted)
    #expect(scene.found.isEmpty)
  }

  @Test func `what is newer takes its place`() {
    var scene = refused()
    scene.handOut(message(.update, 3, way: 0))
    scene.pass(1_000)
    scene.show(.accepted)
    #expect(scene.found.isEmpty)
  }

  @Test func `what is over is told by no further way`() {
    var scene = refused()
    scene.disarm(press)
    scene.pass(1_000)
    scene.show(.ended)
    #expect(scene.found.isEmpty)
  }

  @Test func `the end is told by each way, too`() {
    var scene = Scene { $0.ways = 2 }
    scene.emergency(press)
    scene.disarm(press, closes: false)
    let closing = message(.closing, 90, way: 0)
    scene.handOut(closing)
    scene.see(.refused(host: 0, closing))
    scene.pass(101)
    scene.show(.ended)
    #expect(scene.found == [.wayForgotten])
  }

  @Test func `who was removed and added again is tried by whatever way is known`() {
    var scene = Scene(account: AccountState(contacts: [0, 1])) { $0.ways = 2 }
    scene.change(.removeContact(0), to: AccountState(contacts: [1]))
    scene.change(.addContact, to: AccountState(contacts: [0, 1]), request: 71)
    scene.emergency(press)
    scene.handOut(message(way: 0))
    scene.see(.refused(host: 0, message(way: 0)))
    scene.pass(1_000)
    scene.show(.accepted)
    #expect(scene.found.isEmpty)
  }
}
