import Dispatch
import FobBase
import Foundation
import GRDB
import TestSupport
import Testing
import WireProtocol

@testable import AlertCore
@testable import Storage

@Suite struct LogTests {
  private let folder: StateFolder
  private let store: AlertStore

  init() throws {
    folder = try StateFolder()
    store = try folder.store()
  }

  /// R104.
  @Test func `a line comes back with everything that was written`() throws {
    var notification = Notification.sample(.due, of: .full(1))
    notification.nextAttempt = .second(25)
    var auditEvent = AuditEvent(
      .deliveryFailed, at: .second(20), notification.facts("refused", by: "sms"))
    auditEvent.incident = notification.incident
    auditEvent.contact = Contact.first.id
    auditEvent.who = "core"
    let ids = try store.commit(.of(log: [auditEvent, .sample]))
    let lines = try store.log(after: 0, limit: 10)
    #expect(lines == LogEntry.lines([auditEvent, .sample], ids: ids))
    let line = try #require(lines.first)
    #expect(line.who == "core")
    #expect(line.sink == "sms")
    #expect(line.nextWall == Timestamp.second(25).wall)
    #expect(line.detail == "raise 1, attempt 2: refused")
    #expect(line.facts?.read == auditEvent.facts)
    #expect(
      line.facts?.json
        == #"{"type":"message","kind":"raise","sequence":1,"attempt":2,"reason":"refused"}"#)
  }

  @Test func `a line is told as JSON with its facts as they are stored`() throws {
    var random = SeededGenerator(seed: 8)
    try store.commit(.of(log: [.sample] + (0..<50).map { _ in .random(&random) }))
    for line in try store.log(after: 0, limit: 100) {
      #expect(try JSONDecoder().decode(LogEntry.self, from: Data(line.json())) == line)
      let told = try #require(
        try JSONSerialization.jsonObject(with: Data(line.json(link: "/#alarm"))) as? [String: Any])
      #expect(told["link"] as? String == "/#alarm")
      #expect((told["facts"] == nil) == (line.detail == nil))
    }
    let sample = try #require(try store.log(after: 0, limit: 1).first)
    #expect(
      String(decoding: sample.json(), as: UTF8.self)
        == #"{"contact":"contact-1","detail":"raise 1","device":"8000000000000b0b","event":"1.1","#
        + #""facts":{"type":"message","kind":"raise","sequence":1,"attempt":1},"id":1,"#
        + #""incident":"\#(try #require(sample.incident))","name":"delivered","#
        + #""wall":1768452439000000}"#)
  }

  @Test(arguments: ["", "{", "[1", "null,", "\u{FFFD}\u{1}"])
  func `facts that a fault has made unreadable spoil no other line`(text: String) throws {
    try store.commit(.of(log: [.sample, .sample]))
    try folder.outside().write { db in
      try db.execute(sql: "DROP TRIGGER log_stays")
      try db.execute(sql: "UPDATE log SET facts = ? WHERE id = 1", arguments: [text])
    }
    let lines = try store.log(after: 0, limit: 3)
    #expect(lines.map(\.detail) == ["raise 1", "raise 1"])
    #expect(lines.map { $0.facts?.read } == [AuditEvent.sample.facts, AuditEvent.sample.facts])
  }

  @Test func `a commit says which lines it wrote; one that fails uses no number up`() throws {
    #expect(try store.commit(Changes()) == nil)
    #expect(try store.commit(.of([.press(1)])) == nil)
    var random = SeededGenerator(seed: 5)
    var last: Int64 = 0
    for round in 0..<60 {
      let count = Int.random(in: 1...5, using: &random)
      let changes = Changes.of(log: Array(repeating: .sample, count: count))
      if round % 7 == 3 {
        try folder.outside().write { db in
          try db.execute(
            sql: """
              CREATE TRIGGER refuse BEFORE INSERT ON log WHEN NEW.id IS NOT NULL
              BEGIN SELECT RAISE(ABORT, 'refused'); END
              """)
        }
        #expect(throws: StorageFailure.self) { try store.commit(changes) }
        try folder.outside().write { db in try db.execute(sql: "DROP TRIGGER refuse") }
      }
      let ids = try #require(try store.commit(changes))
      #expect(ids == last + 1...last + Int64(count))
      last = ids.upperBound
      #expect(try store.lastLogID() == last)
    }
  }

  /// R104.
  @Test(arguments: ["DELETE FROM log", "UPDATE log SET detail = ''"])
  func `no program changes or removes a line`(statement: String) throws {
    try store.commit(.of(log: [.sample]))
    let refusal = #expect(throws: DatabaseError.self) {
      try folder.outside().write { db in try db.execute(sql: statement) }
    }
    #expect(refusal?.message == "the log is append-only")
    #expect(try store.log(after: 0, limit: 2).count == 1)
  }

  @Test func `a device's lines are its own, and its incidents' from its press on`() throws {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<40 {
      try store.commit(
        .of(log: (0..<Int.random(in: 1...4, using: &random)).map { _ in .random(&random) }))
    }
    let all = try store.log(after: 0, limit: 1_000)
    for filter in LogFilter.some {
      let expected = all.filter { filter.takes($0, of: all) }
      let found = try store.log(
        after: 0, limit: 1_000, device: filter.device, incident: filter.incident)
      #expect(found == expected, "\(filter)")
      let cursor = all[all.count / 2].id
      #expect(
        try store.log(after: cursor, limit: 3, device: filter.device, incident: filter.incident)
          == Array(expected.filter { $0.id > cursor }.prefix(3)))
    }
  }

  @Test func `entries are found by name, contact, time and words, from either end (R104)`() throws {
    var random = SeededGenerator(seed: 8)
    for _ in 0..<40 {
      try store.commit(.of(log: [.random(&random), .random(&random), .sample]))
    }
    let all = try store.log(after: 0, limit: 1_000)
    let one = try #require(all.randomElement(using: &random))
    func found(_ want: (inout LogSearch) -> Void) throws -> [LogEntry] {
      var search = LogSearch(limit: 1_000)
      want(&search)
      return try store.log(search)
    }
    #expect(try found { $0.name = one.name } == all.filter { $0.name == one.name })
    let contact = Contact.first.id
    #expect(try found { $0.contact = contact } == all.filter { $0.contact == contact })
    #expect(
      try found {
        $0.since = one.wall
        $0.until = one.wall + 1
      } == all.filter { $0.wall == one.wall })
    #expect(
      try found { $0.text = String(contact.uppercased().dropFirst()) }
        == all.filter { entry in
          [entry.contact, entry.who, entry.detail].contains {
            $0?.uppercased().contains(contact.uppercased().dropFirst()) ?? false
          }
        })
    // What LIKE takes for any letter is a letter here.
    for text in ["%", "_", "\\"] { #expect(try found { $0.text = "no such \(text)" } == []) }
    // The newest before an id, oldest first.
    let cursor = all[all.count / 2].id
    let page = try found {
      $0.before = cursor
      $0.limit = 7
    }
    #expect(page == Array(all.filter { $0.id < cursor }.suffix(7)))
  }

  @Test func `a page says how far it looked, so that nobody looks there again`() async throws {
    try store.commit(.of(log: Array(repeating: .sample, count: 9)))
    let full = try await store.page(after: 2, limit: 4, LogFilter())
    #expect(full.lines.map(\.id) == [3, 4, 5, 6])
    #expect(full.end == 6)
    let none = try await store.page(after: 2, limit: 4, LogFilter(device: "nobody"))
    #expect(none == LogPage(lines: [], end: 9))
    #expect(try await store.page(after: 12, limit: 4, LogFilter()).end == 12)
  }

  @Test func `incidents come by pages, newest first, none twice and none left out`() throws {
    let incidents = (1...23 as ClosedRange<UInt32>).map {
      Incident.sample($0, .emergencyEnded, openedAt: Int64($0 / 3))
    }
    try store.commit(.of(incidents: incidents))
    var found: [Incident] = []
    while true {
      let page = try store.incidents(limit: 5, before: found.last?.id)
      if page.isEmpty { break }
      found += page
    }
    #expect(found == Array(try store.incidents().reversed()))
    #expect(found.count == 23)
    #expect(try store.incidents(limit: 5, before: IncidentID(EventRecord.press(99).identity)) == [])
  }

  @Test func `a read that goes on holds up no commit, and sees what was there when it began`()
    throws
  {
    try store.commit(.ofEveryKind(1))
    let store = store
    let committed = DispatchSemaphore(value: 0)
    try store.database.read { db in
      let query = LogQuery(db, .first)
      let before = try query.lastID()
      #expect(before == 1)
      DispatchQueue.global().async {
        #expect((try? store.commit(.ofEveryKind(2))) == 2...2)
        committed.signal()
      }
      #expect(committed.wait(timeout: .now() + 10) == .success, "the commit waits for the read")
      let after = try query.lastID()
      #expect(after == 1)
    }
    #expect(try store.lastLogID() == 2)
  }

  @Test func `a commit that goes on holds up no read`() throws {
    try store.commit(.ofEveryKind(1))
    let store = store
    let hasRead = DispatchSemaphore(value: 0)
    try store.database.write { db in
      _ = try ChangeWriter(db, .first).write(.ofEveryKind(2))
      DispatchQueue.global().async {
        #expect((try? store.lastLogID()) == 1)
        hasRead.signal()
      }
      #expect(hasRead.wait(timeout: .now() + 10) == .success, "the read waits for the commit")
    }
    #expect(try store.lastLogID() == 2)
  }

  @Test func `an account and devices that a commit changed are there afterwards`() throws {
    var changes = Changes()
    changes.account = Account(name: "Owner", contacts: [.first])
    changes.devices[keychain] = DeviceRecord(batteryPercent: 17, lowBatteryDay: 20_000)
    changes.devices[.bench(1)] = DeviceRecord(firstSeenWall: 5, firmware: "1.0.0")
    #expect(!changes.isEmpty)
    var later = Changes()
    later.account = Account(name: "Owner", contacts: [])
    later.devices[keychain] = DeviceRecord(batteryPercent: 16)
    let merged = Changes.merged([changes, later, Changes()])
    try store.commit(changes)
    #expect(try store.account() == changes.account)
    #expect(try store.load().devices == changes.devices)
    try store.commit(merged)
    #expect(try store.account() == later.account)
    #expect(try store.load().devices[keychain] == later.devices[keychain])
    #expect(try store.load().devices.count == 2)
  }

  @Test func `presses of an incident are added, not written over at each commit`() throws {
    var incident = Incident.sample(1, .emergencySent, openedAt: 1)
    for n in 1...20 as ClosedRange<UInt32> {
      incident.presses.append(
        PressEntry(of: EventRecord.press(n).identity, receivedAt: .second(Int64(n)), covers: 1))
      if n % 3 == 0 { incident.aliases.append(IncidentID(EventRecord.press(n).identity)) }
      try store.commit(.of(incidents: [incident]))
    }
    #expect(try store.incidents() == [incident])
    let (body, rows) = try folder.outside().read { db in
      (
        try String.fetchOne(db, sql: "SELECT body FROM incident")!,
        try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM incident_list")!
      )
    }
    #expect(!body.contains("1.20"))
    #expect(rows == 26)
  }
}
