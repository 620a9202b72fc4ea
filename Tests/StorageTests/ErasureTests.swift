import FobBase
import Foundation
import GRDB
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Storage

/// After an account is erased, no file of the state folder has a word that its owner entered (R86).
@Suite struct ErasureTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder() }

  /// In every text that a person enters, and in what a server says of an address.
  static let word = "Zaunkönig"

  /// A latitude that no other number is.
  private static let latitude: Int32 = 481_374_269

  private static var owner: Account {
    var account = Account(
      name: "Owner \(word)", email: "\(word)@example.org",
      contacts: [Contact(id: "contact-1", name: word, address: "\(word)@example.org")],
      pinHash: "$6$\(word)")
    account.devices = [keychain.text]
    return account
  }

  private static var place: Position {
    Position(latitude: latitude, longitude: -15_000, quality: 2, wall: 1_768_452_419_000_000)
  }

  /// Rows of every table that have the word or the place in each field that can.
  static func changes(_ n: UInt32) throws -> Changes {
    var incident = Incident.full(n)
    incident.lastPosition = place
    incident.question = UnansweredCheckIn(description: word, due: 1)
    var told = Notification(
      .raise, to: owner.contacts[0], of: incident, sequence: 1, position: place, at: .second(11))
    told.delivery = .delivered
    told.lastError = "550 \(word)"
    var press = EventRecord.press(n)
    press.position.quality = .good
    press.position.age = 0
    press.position.latitude = latitude
    let refused = AuditEvent(
      .deliveryFailed, at: .second(19), of: press.identity,
      .message(Reason.Message(kind: .raise, sequence: 1, attempt: 1, error: "550 \(word)")))
    var changes = Changes.of(
      [press], incidents: [incident], notifications: [told], log: [.sample, refused])
    changes.track = [TrackPoint(incident: incident.id, at: .second(18), position: place)]
    changes.account = owner
    changes.checkIns = [.series(.sample(Int(n), word)), .checkIn(.sample(.open, of: Int(n)))]
    changes.quickMessages = [
      .slot(MessageSlot(slot: 1, contact: "contact-1", message: word)),
      .links([HelpLink(label: word, phone: "988")]),
    ]
    var review = Review(Int(n), of: incident.id, ReviewStep.standard, at: Timestamp.second(10).wall)
    review.save(word, of: 1, at: Timestamp.second(11).wall)
    changes.reviews = [.review(review)]
    changes.affirmations = [.line(Affirmation(id: 1, text: word))]
    return changes
  }

  static var erasure: Changes {
    var changes = Changes()
    changes.erasesAccount = true
    changes.account = Account.none
    return changes
  }

  /// The files that have the word, or the place as a document or a payload has it.
  private func filesWithIt() throws -> [String] {
    let bytes = withUnsafeBytes(of: Self.latitude.littleEndian) { Data($0) }
    let sought = [Data(Self.word.utf8), Data("\(Self.latitude)".utf8), bytes]
    return try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter {
      let data = try Data(contentsOf: URL(filePath: "\(folder.path)/\($0)"))
      return sought.contains { data.range(of: $0) != nil }
    }
  }

  /// A store that has the word in the database, its log, the backup, a file that was set aside, and
  /// in pages of rows that were replaced or removed since.
  private func filled(_ account: AccountNumber = .first) throws -> AlertStore {
    let store = try folder.store().store(of: account)
    for n in 1...40 as ClosedRange<UInt32> { try store.commit(Self.changes(n)) }
    var removed = Changes()
    removed.reviews = (1...20).map { .reviewRemoved($0) }
    try store.commit(removed)
    #expect(store.backUp(within: .seconds(60)) == .made)
    for name in ["fob.sqlite.damaged-20260101T000000Z", "mails.jsonl"] {
      try Data("\(Self.word)\n".utf8).write(to: URL(filePath: "\(folder.path)/\(name)"))
    }
    return store
  }

  @Test func `R86: no file has a word, an address or a place of the owner after the commit`()
    throws
  {
    let store = try filled()
    #expect(
      try filesWithIt() == [
        "fob.sqlite", "fob.sqlite-wal", "fob.sqlite.backup", "fob.sqlite.damaged-20260101T000000Z",
        "mails.jsonl",
      ])
    try store.commit(Self.erasure)
    #expect(try filesWithIt() == [])
    #expect(store.backUp(within: .seconds(60)) == .made)
    #expect(try filesWithIt() == [])
  }

  @Test func `R86: a deleted account leaves its number, and no row or word in any file`() throws {
    let second = try #require(AccountNumber(2))
    let store = try filled(second)
    try store.delete()
    #expect(try filesWithIt() == [])
    try folder.outside().read { db in
      for table in StateTable.all where table.name != "account" {
        guard let rows = table.rows(of: second) else { continue }
        let count = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \(table.name) WHERE \(rows)")
        #expect(count == 0, "\(table.name)")
      }
    }
    #expect(try store.accounts().isEmpty && store.standing() == .deleted)
    #expect(try store.nextAccount() == AccountNumber(3))
    #expect(throws: DatabaseError.self) {
      try store.commit(Changes.of(log: [.sample]))
      try folder.outside().write { try $0.execute(sql: "DELETE FROM log") }
    }
  }

  @Test func `R86: alarms, presses and the log stay, and the log takes no other change`() throws {
    let store = try filled()
    let lines = try store.log(LogSearch(limit: 1_000))
    try store.commit(Self.erasure)
    #expect(try store.incidents().count == 40 && store.presses().count == 40)
    let kept = try store.log(LogSearch(limit: 1_000))
    #expect(kept.map(\.id) == lines.map(\.id) && kept.map(\.name) == lines.map(\.name))
    let refused = try #require(kept.first { $0.name == "deliveryFailed" })
    #expect(refused.detail == "raise 1: erased")
    #expect(refused.facts?.read?.words == "raise 1: erased")
    #expect(throws: DatabaseError.self) {
      try folder.outside().write { try $0.execute(sql: "UPDATE log SET detail = 'x'") }
    }
    let told = try folder.outside().read { db in
      try String.fetchSet(
        db,
        sql: """
          SELECT json_array(
            body -> '$.contact', body -> '$.position', body -> '$.question', body -> '$.delivery')
          FROM notification
          """)
    }
    #expect(
      told == [#"[{"id":"contact-1","name":"contact-1","address":""},null,null,"delivered"]"#])
  }

  @Test func `R86: a process that ends right after the commit leaves the rest to the next start`()
    throws
  {
    let store = try filled()
    try store.database.write { db in _ = try ChangeWriter(db, .first).write(Self.erasure) }
    #expect(try filesWithIt().contains("fob.sqlite.backup"))
    let left = try folder.leftByKill(
      with: ["/fob.sqlite", "/fob.sqlite-wal", "/fob.sqlite.backup", "/mails.jsonl"])
    _ = try left.store()
    #expect(try ErasureTests(left).filesWithIt() == [])
  }

  @Test func `R86: no backup is made while something of an erased account is left`() throws {
    let store = try filled()
    try store.database.write { db in _ = try ChangeWriter(db, .first).write(Self.erasure) }
    // Another program reads what the log still has, so it cannot be cut.
    let reader = try folder.outside()
    try reader.inDatabase { db in
      try db.execute(sql: "BEGIN; SELECT COUNT(*) FROM incident")
      guard case .erasureOwed = store.backUp(within: .seconds(60)) else {
        Issue.record("a backup was made")
        return
      }
      try db.execute(sql: "COMMIT")
    }
    #expect(store.backUp(within: .seconds(60)) == .made)
    #expect(try filesWithIt() == [])
  }

  @Test func `R86: a backup that was begun before the erasure keeps nothing of it`() throws {
    let store = try filled()
    let ended = DispatchSemaphore(value: 0)
    let backups = Thread {
      for _ in 0..<5 { _ = store.backUp(within: .seconds(60)) }
      ended.signal()
    }
    backups.start()
    try store.commit(Self.erasure)
    ended.wait()
    #expect(try filesWithIt() == [])
    #expect(store.backUp(within: .seconds(60)) == .made && store.hasBackup == true)
    #expect(try filesWithIt() == [])
  }

  private init(_ folder: StateFolder) { self.folder = folder }
}
