import Emulator
import FobBase
import SerialIO
import Sinks
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Bridge
@testable import Storage

/// Claims in mid-alarm where the store, or what else comes meanwhile, is in their way.
@Suite struct MoveTests {
  private let sink: RecordingSink
  private let rig: BridgeRig
  /// No batch is durable before it is open.
  private let gate: OneShot<Void>
  /// Accounts 2 to 4, without a keychain.
  private let accounts: [AlertBridge]

  init() throws {
    let (sink, gate) = (try RecordingSink(), try OneShot<Void>())
    let rig = try BridgeRig([], account: .none, sinks: [sink]) { batches in
      try? gate.pass()
      return AlertStore.commit(batches)
    }
    accounts = try (2...4).map { number in
      let contact = Contact(
        id: "contact-1", name: "Contact 1", address: "contact-\(number)@example.org")
      return try rig.bridge.add(
        Account(name: "Owner \(number)", contacts: [contact], devices: []))
    }
    (self.sink, self.gate, self.rig) = (sink, gate, rig)
  }

  /// On a line of the first account's.
  private func press(_ n: UInt32, serial: UInt32) {
    let press = EventRecord.press(n, serial: serial)
    rig.bridge.runner.handle(.event(LinkID(rawValue: 90), press, happenedAt: nil))
  }

  private func waitUntilTold(_ contacts: [String]) throws {
    try rig.journal.wait("they are told") {
      Set(sink.taken.filter { $0.kind == .raise }.map(\.contact.address)) == Set(contacts)
    }
  }

  @Test func `while nothing is made durable, all who claim have somebody told at once`() throws {
    for serial in 97...99 as ClosedRange<UInt32> { press(1, serial: serial) }
    let answers = try zip(accounts, 97...99 as ClosedRange<UInt32>).map { account, serial in
      let answer = try Waiting<Answer>()
      account.change(.claim(.bench(serial), email: nil), pin: nil) { answer.put($0) }
      return answer
    }
    try waitUntilTold((2...4).map { "contact-\($0)@example.org" })
    #expect(try rig.store.incidents().isEmpty)
    gate.open(with: ())
    for answer in answers { #expect(try answer.get().refusal == nil) }
    #expect(try accounts.map { try $0.store.incidents().map(\.presses.count) } == [[1], [1], [1]])
    #expect(try rig.store.incidents().map(\.endReason) == [.moved])
    #expect(accounts.map(\.status.state) == Array(repeating: .emergencySent, count: 3))
  }

  /// It comes by the line that the first account still has.
  @Test func `a press that comes before its keychain's move is durable is the owner's, too`()
    throws
  {
    press(1, serial: 97)
    let answer = try Waiting<Answer>()
    accounts[0].change(.claim(.bench(97), email: nil), pin: nil) { answer.put($0) }
    try waitUntilTold(["contact-2@example.org"])
    press(2, serial: 97)
    #expect(rig.bridge.status.state == .emergencyEnded)
    try rig.journal.wait("the second is told") { sink.taken.contains { $0.kind == .update } }
    gate.open(with: ())
    #expect(try answer.get().refusal == nil)
    try rig.journal.wait("both are the owner's") {
      (try? accounts[0].store.incidents().map { $0.presses.map(\.event) }) == [["1.1", "1.2"]]
    }
    #expect(try rig.store.incidents().map(\.endReason) == [.moved, .moved])
  }

  /// The commit thread hands it on, and every account's commits would wait for a read.
  @Test func `what a given-up keychain has said is known without a read of the store`() throws {
    gate.open(with: ())
    let claimed = try Waiting.answer {
      accounts[0].change(.claim(.bench(97), email: nil), pin: nil, answer: $0)
    }
    #expect(claimed.refusal == nil)
    let press = EventRecord.press(1, serial: 97)
    accounts[0].runner.handle(.event(LinkID(rawValue: 90), press, happenedAt: nil))
    try waitUntilTold(["contact-2@example.org"])
    #expect(try Waiting.answer { accounts[0].perform(.cancel, answer: $0) }.refusal == nil)
    try rig.store.writing("test") { try $0.writeRow("DELETE FROM event", []) }
    let left = try Waiting.answer {
      accounts[0].change(.disconnect(.bench(97)), pin: nil, answer: $0)
    }
    #expect(left.refusal == nil)
    self.press(1, serial: 97)
    #expect(rig.bridge.status.state == .noEmergency)
    self.press(2, serial: 97)
    #expect(rig.bridge.status.state == .emergencySendingFailed)
  }
}

/// An alarm that stays with the first account: whoever claims the keychain has nobody to tell.
@Suite struct StayingAlarmTests {
  @Test func `it keeps the keychain's light and its further presses until it ends`() throws {
    let folder = try ScratchDirectory()
    let sink = try RecordingSink()
    let rig = try BridgeRig([], sinks: [sink], in: folder)
    let owner = try rig.bridge.add(Account(name: "Owner", contacts: [], devices: []))
    let keychain = try EmulatedKeychain.started(in: folder, named: "keychain", serial: 99)
    try rig.bridge.add(DeviceSpec(pty: folder.path("keychain")))
    try keychain.wait(for: .linked)
    func wait(for shown: ShownState) throws {
      try rig.journal.wait("shows \(shown)") { (try? keychain.state().shown) == "\(shown)" }
    }
    _ = try keychain.press()
    try wait(for: .accepted)
    let claimed = try Waiting.answer {
      owner.change(.claim(.bench(99), email: nil), pin: nil, answer: $0)
    }
    #expect(claimed.refusal == nil)
    _ = try keychain.press()
    try rig.journal.wait("they are told of it") {
      sink.taken.count { $0.kind == .update } == 2
    }
    #expect(owner.status.state == .noEmergency && rig.bridge.status.state == .emergencySent)
    try wait(for: .accepted)
    #expect(try rig.disarm("2468").refusal == nil)
    try wait(for: .idle)
    _ = try keychain.press()
    try wait(for: .failed)
    #expect(owner.status.state == .emergencySendingFailed)
    #expect(rig.bridge.status.state == .emergencyEnded)
  }

  @Test func `it goes to the owner, with the line, when there is somebody to tell`() throws {
    let folder = try ScratchDirectory()
    let sink = try RecordingSink()
    let rig = try BridgeRig([], sinks: [sink], in: folder)
    let owner = try rig.bridge.add(Account(name: "Owner", contacts: [], devices: []))
    let device = try RawDevice(in: folder)
    try rig.bridge.add(DeviceSpec(pty: folder.path("keychain")))
    try device.say(Hello.answering(try device.hear(Hello.self)))
    try device.say(EventRecord.press(1))
    try rig.waitFor(.emergencySent)
    let id = EventRecord.press(1).identity.deviceID
    let claimed = try Waiting.answer {
      owner.change(.claim(id, email: nil), pin: nil, answer: $0)
    }
    #expect(claimed.refusal == nil)
    let number = ContactDraft.Number(number: "+15555550100", chosen: true)
    let contact = ContactDraft(name: "Contact 1", numbers: [number])
    let added = try Waiting.answer { owner.change(.addContact(contact), pin: nil, answer: $0) }
    #expect(added.refusal == nil)
    try rig.journal.wait("it has moved") { owner.status.state == .emergencySent }
    try rig.journal.wait("its line, too") { owner.status.links.map(\.device) == [id.text] }
    try device.say(EventRecord.press(2))
    try rig.journal.wait("the next press is the owner's") {
      (try? owner.store.presses().map(\.event)) == ["1.2"]
    }
    #expect(try rig.store.incidents().map(\.endReason) == [.moved])
  }
}
