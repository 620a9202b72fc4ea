import FobBase
import Foundation
import GRDB
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Storage

@Suite struct MessageRowTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder() }

  private static let slot = MessageSlot(slot: 2, contact: "contact-1", message: "I am safe")
  private static let own = MessageSlot(
    slot: 5, name: "Contact 9", number: "+15555550109", message: "Call me", addsPosition: true)
  private static let link = HelpLink(label: "Crisis line", phone: "988")

  private static func send(_ n: UInt32, _ state: MessageSend.State) -> MessageSend {
    var send = MessageSend(
      id: IncidentID(EventRecord.press(n).identity), slot: 2, recipient: .first,
      message: "I am safe", by: "button", isBench: true, decidedWall: Timestamp.second(10).wall)
    send.state = state
    send.attempts = 3
    send.lastError = "refused"
    if state.isOver { send.endedWall = Timestamp.second(11).wall }
    return send
  }

  private static func changes(_ rows: [MessageChange]) -> Changes {
    var changes = Changes()
    changes.quickMessages = rows
    return changes
  }

  private static let rows: [MessageChange] = [
    .slot(slot), .slot(own), .send(send(1, .waiting)), .send(send(2, .failed)),
    .links([link]),
  ]

  private static func sorted(_ messages: StoredMessages) -> StoredMessages {
    var sorted = messages
    sorted.slots.sort { $0.slot < $1.slot }
    sorted.sends.sort { $0.id.description < $1.id.description }
    return sorted
  }

  @Test func `slots and sends come back in every field, as they were last`() throws {
    let store = try folder.store()
    try store.commit(Self.changes(Self.rows))
    var expected = StoredMessages()
    for row in Self.rows { expected.apply(row) }
    #expect(Self.sorted(try store.load().messages) == Self.sorted(expected))
    let later: [MessageChange] = [
      .slotEmptied(5), .send(Self.send(1, .taken)), .sendRemoved(Self.send(2, .failed).id),
    ]
    try store.commit(Self.changes(later))
    for row in later { expected.apply(row) }
    #expect(try store.load().messages == expected)
  }

  @Test func `an exported state has the messages, and opens with them`() throws {
    try folder.store().commit(Self.changes(Self.rows))
    var document = ""
    try StateExport.write(directory: folder.path) { document += $0 }
    let target = try StateFolder()
    try StateImport.read(Data(document.utf8), named: "state.json", into: target.path)
    #expect(
      Self.sorted(try target.store().load().messages)
        == Self.sorted(try folder.store().load().messages))
  }

  @Test func `a message of another slot's row is refused, and so is one too long`() throws {
    let encoded = try JSON.encode(Self.slot)
    #expect(throws: CheckInRow.Mismatch.self) {
      try CheckInRow(kind: "slot", id: "3", body: encoded)
    }
    let long = MessageSlot(
      slot: 2, contact: "contact-1", message: String(repeating: "a", count: 161))
    #expect(throws: CheckInRow.Mismatch.self) {
      try CheckInRow(kind: "slot", id: "2", body: try JSON.encode(long))
    }
  }

  @Test func `sends that are damaged take no slot along`() throws {
    try folder.store().commit(Self.changes(Self.rows))
    try folder.outside().write { db in
      try db.execute(sql: "UPDATE companion SET body = 'x' WHERE kind = 'send'")
    }
    let messages = try folder.store().load().messages
    #expect(messages.slots.map(\.slot).sorted() == [2, 5])
    #expect(messages.sends.isEmpty)
  }

  @Test func `a slot of a version without positions adds none`() throws {
    let row = try CheckInRow(
      kind: "slot", id: "2",
      body: #"{"slot":2,"contact":"contact-1","name":"","number":"","message":"I am safe"}"#)
    guard case .slot(let slot) = row else {
      Issue.record("no slot was read")
      return
    }
    #expect(slot == Self.slot)
  }

  @Test(arguments: [
    ("slot", "a slot of the messages may be empty"), ("send", "messages that were on their way"),
    ("links", "help links may be missing"),
  ])
  func `what is lost of the messages is said by its kind, and of no check-ins`(
    kind: String, words: String
  ) throws {
    try folder.store().commit(Self.changes(Self.rows))
    try folder.outside().write { db in
      try db.execute(sql: "UPDATE companion SET body = 'x' WHERE kind = ?", arguments: [kind])
    }
    let store = try folder.store()
    #expect(store.found?.areCheckInsInDoubt == nil)
    #expect(store.found?.lostKinds == [kind])
    let said = try store.load().damage?.words ?? ""
    #expect(said.contains(words) && !said.contains("check-ins"))
  }
}
