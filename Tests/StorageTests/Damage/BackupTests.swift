import FobBase
import Foundation
import GRDB
import Testing

@testable import AlertCore
@testable import Storage

@Suite struct BackupTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder() }

  @Test func `a backup is whole, its owner's alone, and leaves nothing else behind`() throws {
    let store = try folder.store()
    for n in 1...30 as ClosedRange<UInt32> { try store.commit(.ofEveryKind(n)) }
    #expect(store.hasBackup == false)
    #expect(store.backUp(within: .seconds(30)) == .made)
    #expect(store.hasBackup == true)
    #expect(try folder.mode(of: "/fob.sqlite.backup") == 0o600)
    #expect(try folder.names.filter { $0.contains("backup") } == ["fob.sqlite.backup"])
    let check = try StateCheck(directory: folder.path)
    #expect(check.faults.isEmpty)
    #expect(check.backupFaults.isEmpty)
    #expect(check.rows >= 150)
    try store.commit(.ofEveryKind(31))
    #expect(store.backUp(within: .seconds(30)) == .made, "and again over it")
    let copy = try DatabaseQueue(path: folder.file + ".backup")
    #expect(try copy.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM event") } == 31)
  }

  @Test func `a backup that takes too long is left, and the one before it stays`() throws {
    let store = try folder.store()
    for n in 1...200 as ClosedRange<UInt32> { try store.commit(.ofEveryKind(n)) }
    #expect(store.backUp(within: .seconds(30)) == .made)
    let before = try Data(contentsOf: URL(filePath: folder.file + ".backup"))
    try store.commit(.ofEveryKind(201))
    guard case .skipped(let reason) = store.backUp(within: .zero) else {
      Issue.record("it was made in no time")
      return
    }
    #expect(reason == "a backup takes longer than 0 ms")
    #expect(try Data(contentsOf: URL(filePath: folder.file + ".backup")) == before)
    #expect(try folder.names.filter { $0.contains("backup") } == ["fob.sqlite.backup"])
  }

  @Test
  func `damage that a backup meets is told, replaces no good backup, and is mended at the start`()
    throws
  {
    do {
      let store = try folder.store()
      for n in 1...30 as ClosedRange<UInt32> { try store.commit(.ofEveryKind(n)) }
      try store.setAccount(Account(name: "Owner", contacts: [.first]))
      #expect(store.backUp(within: .seconds(30)) == .made)
      try store.database.writeWithoutTransaction { db in
        try db.execute(sql: "UPDATE account SET body = '{'")
      }
      guard case .skipped(let reason) = store.backUp(within: .seconds(30)) else {
        Issue.record("a damaged database was backed up")
        return
      }
      #expect(reason.hasPrefix("the records are damaged, the next start looks at them: "))
    }
    let store = try folder.store()
    #expect(store.found?.backupRows == 1)
    #expect(try store.account()?.contacts == [.first])
  }

  @Test func `what is lost comes from the backup, and what both have is the newer`() throws {
    do {
      let store = try folder.store()
      try store.setAccount(Account(name: "Owner", contacts: [.first]))
      try store.commit(.of(incidents: [.sample(1, .emergencySent, openedAt: 10)]))
      #expect(store.backUp(within: .seconds(30)) == .made)
      try store.commit(
        .of(incidents: [.sample(1, .noEmergency, openedAt: 10, ended: .disarmed)]))
    }
    try folder.outside().write { db in
      try db.execute(sql: "DELETE FROM account; DROP TABLE account")
    }
    let store = try folder.store()
    #expect(try store.account()?.name == "Owner")
    #expect(try store.load().current == nil, "the backup's open incident was over")
    #expect(try store.incidents().map(\.endReason) == [.disarmed])
  }

  @Test func `with nothing but the backup left it goes on from there, an open alarm as well`()
    throws
  {
    do {
      let store = try folder.store()
      try store.setAccount(Account(name: "Owner", contacts: [.first]))
      try store.commit(.of(incidents: [.sample(1, .emergencySent, openedAt: 10)]))
      #expect(store.backUp(within: .seconds(30)) == .made)
    }
    try FileManager.default.removeItem(atPath: folder.file)
    let store = try folder.store()
    let report = try #require(store.found)
    #expect(report.backup != nil)
    #expect(report.backupRows == 2)
    #expect(report.raisedAgain == [Incident.sample(1, .emergencySent, openedAt: 10).id.description])
    #expect(!report.isAlarmInDoubt)
    #expect(try store.account()?.contacts == [.first])
  }
}
