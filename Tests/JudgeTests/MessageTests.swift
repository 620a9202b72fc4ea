import FobBase
import Judge
import Testing
import WireProtocol

/// The five messages, as a judge of them sees a world: one innocent and one guilty scene of each
/// rule.
@Suite struct MessageTests {
  private static let key: UInt64 = 7

  /// An owner whose first slot is for a contact.
  private func scene(account: AccountState? = nil) -> Scene {
    var scene = Scene(account: account) { $0.isGuarded = true }
    scene.fill(1, for: 0)
    return scene
  }

  /// Somebody asks for slot 1 by page.
  private func asked(_ id: UInt64 = key) -> Scene {
    var scene = scene()
    scene.ask(id)
    scene.keep(id, .running)
    return scene
  }

  @Test func `a message that is asked for, stored, handed out and told is fine`() {
    var scene = asked()
    scene.say(.sending)
    scene.send(Self.key)
    scene.keep(Self.key, .taken)
    scene.say(.accepted)
    scene.pass(5_000)
    scene.say(.idle)
    scene.finish()
    #expect(scene.found == [])
  }

  @Test(arguments: [false, true])
  func `what nobody asked for is found, and so is what another contact gets`(isAsked: Bool) {
    var scene = isAsked ? asked() : scene()
    scene.handOut(Message(.message, 1, of: Self.key, to: isAsked ? 1 : 0))
    #expect(scene.found == [.messageUnasked])
  }

  @Test(arguments: [false, true])
  func `a message that waits for ever is found`(isHandedOut: Bool) {
    var scene = asked()
    if isHandedOut { scene.handOut(Message(.message, 1, of: Self.key)) }
    scene.finish()
    #expect(scene.found == [.messageLost])
  }

  @Test func `one that was refused for 15 minutes may be given up, and none before`() {
    var late = asked()
    late.pass(15 * 60_000)
    late.keep(Self.key, .failed)
    #expect(late.found == [])
    var early = asked()
    early.pass(60_000)
    early.keep(Self.key, .failed)
    #expect(early.found == [.messageLost])
  }

  @Test func `two of one slot within a minute are one, and a minute later are two`() {
    var late = asked()
    late.pass(61_000)
    late.ask(8)
    late.keep(8, .running)
    #expect(late.found == [])
    var doubled = asked()
    doubled.pass(59_000)
    doubled.ask(8)
    doubled.keep(8, .running)
    #expect(doubled.found == [.messageDoubled])
  }

  @Test func `what the disk has as accepted is not handed out again`() {
    var scene = asked()
    scene.send(Self.key)
    scene.keep(Self.key, .taken)
    scene.see(.stopped(host: 0))
    scene.see(.started(host: 0, RestoredState()))
    scene.handOut(Message(.message, 1, of: Self.key))
    #expect(scene.found == [.messageDoubled])
  }

  @Test(arguments: [false, true])
  func `the alarm's message to the same contact goes first`(isFirst: Bool) {
    var scene = asked()
    let press = Event.press(1)
    scene.hear(press)
    scene.move(press.name, .noEmergency, .emergencySending)
    scene.store([press], in: press.name, row: .emergencySending)
    scene.pass(200)
    if isFirst { scene.tell(.raise, 1, of: press.name) }
    scene.handOut(Message(.message, 1, of: Self.key))
    #expect(scene.found == (isFirst ? [] : [.messageBeforeAlarm]))
  }

  @Test(arguments: [false, true])
  func `clicks of a keychain send where it is the account's`(isOwned: Bool) {
    let press = Event.press(1)
    var scene = scene(
      account: AccountState(keychains: isOwned ? [press.identity.deviceID] : [.bench(2)]))
    scene.hear(press)
    scene.store([press], in: 0)
    scene.handOut(Message(.message, 1, of: press.name))
    #expect(scene.found == (isOwned ? [] : [.messageByStranger]))
  }

  @Test(arguments: [false, true])
  func `clicks are an alarm where no slot is complete`(isComplete: Bool) {
    var scene = isComplete ? scene() : Scene { $0.isGuarded = true }
    for press in [Event.press(1, clock: 1_000_000), .press(3, clock: 1_250_000)] {
      scene.hear(press)
      scene.store([press], in: 0)
    }
    scene.finish()
    #expect(scene.found == (isComplete ? [] : [.incidentNotOpened]))
  }

  @Test(arguments: [ShownState.sending, .accepted])
  func `a light that speaks of no alarm and no message is found`(state: ShownState) {
    var scene = Scene { $0.isGuarded = true }
    scene.say(state)
    #expect(scene.found == [.lightBeforeCommit])
  }

  @Test func `accepted is shown for 5 s and no longer`() {
    var scene = asked()
    scene.send(Self.key)
    scene.pass(6_000)
    scene.say(.accepted)
    #expect(scene.found == [.lightBeforeCommit])
  }
}

extension Scene {
  fileprivate mutating func fill(_ slot: Int, for contact: Int) {
    see(.asked(host: 0, request: 1, .fillSlot(slot, contact: contact, hasText: true)))
    var batch = Batch()
    batch.slots = [(slot, contact)]
    see(.stored(host: 0, batch))
    see(.answered(host: 0, request: 1, .noEmergency, isRefused: false, isDurable: true))
  }

  fileprivate mutating func ask(_ id: UInt64) {
    see(.asked(host: 0, request: id, .sendMessage(slot: 1, key: "\(id)", message: id)))
    see(.answered(host: 0, request: id, .noEmergency, isRefused: false, isDurable: true))
  }

  fileprivate mutating func keep(_ id: UInt64, _ state: Batch.SendRow.State) {
    var batch = Batch()
    batch.sends = [
      Batch.SendRow(name: id, slot: 1, contact: 0, state: state, decided: now * 1_000)
    ]
    see(.stored(host: 0, batch))
  }

  fileprivate mutating func send(_ id: UInt64) {
    handOut(Message(.message, 1, of: id))
    see(.told(host: 0, Message(.message, 1, of: id)))
  }
}
