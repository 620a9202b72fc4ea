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
    #expect(rig.bridge.status.state == .emergencySendingFailed)
    gate.open(with: ())
    #expect(try answer.get().refusal == nil)
    try rig.journal.wait("both are the owner's") {
      (try? accounts[0].store.incidents().map { $0.presses.map(\.event) }) == [["1.1", "1.2"]]
    }
    #expect(try rig.store.incidents().map(\.endReason) == [.moved, .moved])
    try rig.journal.wait("the second is told") { sink.taken.contains { $0.kind == .update } }
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
