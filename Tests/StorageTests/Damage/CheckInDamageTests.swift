import FobBase
import Foundation
import GRDB
import TestSupport
import Testing

@testable import AlertCore
@testable import Storage

/// A series that raises an alarm is not lost without a word.
@Suite struct CheckInDamageTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder() }

  private static func changes(_ checkIns: [CheckInChange]) -> Changes {
    var changes = Changes()
    changes.checkIns = checkIns
    return changes
  }

  private func damage(_ sql: String) throws {
    try folder.outside().write { db in try db.execute(sql: sql) }
  }

  @Test func `a series that cannot be read is told, and where there is no backup it is missing`()
    throws
  {
    try folder.store().commit(Self.changes([.series(.sample(1)), .series(.sample(2))]))
    try damage("UPDATE companion SET body = 'x' WHERE id = '1'")
    let store = try folder.store()
    let report = try #require(store.found)
    #expect(report.found.contains { $0.hasPrefix("table companion has a row that cannot be used") })
    #expect(report.areCheckInsInDoubt == true)
    let words = try #require(try store.load().damage?.words)
    #expect(words.contains("check-ins may be missing, or asked again: look at each series"))
    #expect(try store.load().checkIns.series == [.sample(2)])
    #expect(try store.log(after: 0, limit: 9).contains { $0.name == "recordsDamaged" })
  }

  @Test func `what the backup has of a lost series comes back, and it is asked`() throws {
    do {
      let store = try folder.store()
      try store.commit(
        Self.changes([.series(.sample(1)), .series(.sample(2)), .checkIn(.sample(.open))]))
      #expect(store.backUp(within: .seconds(30)) == .made)
      try store.commit(Self.changes([.series(.sample(2, "since"))]))
    }
    try damage("UPDATE companion SET body = 'x' WHERE id = '1'")
    try damage("UPDATE occurrence SET body = 'x'")
    let found = try folder.store().load()
    #expect(found.checkIns.series == [.sample(1), .sample(2, "since")])
    #expect(found.checkIns.checkIns == [.sample(.open)])
    #expect(found.damage?.words.contains("look at each series") == true)
  }

  @Test func `a series that was removed does not come back because another table is damaged`()
    throws
  {
    do {
      let store = try folder.store()
      try store.commit(.ofEveryKind(1))
      try store.commit(Self.changes([.series(.sample(2)), .checkIn(.sample(.open, of: 2))]))
      #expect(store.backUp(within: .seconds(30)) == .made)
      try store.commit(
        Self.changes([.seriesRemoved(2), .checkIn(.sample(.removed, of: 2))]))
    }
    try damage("UPDATE device SET body = 'x'")
    try damage("UPDATE notification SET body = 'x'")
    let store = try folder.store()
    #expect(store.found != nil && store.found?.areCheckInsInDoubt == nil)
    let kept = try store.load().checkIns
    #expect(kept.series.map(\.id) == [1])
    #expect(kept.checkIns.map(\.state) == [.open, .removed])
  }

  @Test func `nor is a check-in asked whose series was removed since the backup`() throws {
    do {
      let store = try folder.store()
      try store.commit(
        Self.changes([
          .series(.sample(1)), .series(.sample(2)), .checkIn(.sample(.open)),
          .checkIn(.sample(.open, of: 2)), .checkIn(.sample(.completed, of: 2, "20261124T0900")),
        ]))
      #expect(store.backUp(within: .seconds(30)) == .made)
      try store.commit(Self.changes([.seriesRemoved(2), .checkIn(.sample(.removed, of: 2))]))
    }
    try damage("UPDATE occurrence SET body = 'x'")
    let kept = try folder.store().load().checkIns
    #expect(kept.series.map(\.id) == [1])
    #expect(kept.checkIns == [.sample(.open), .sample(.completed, of: 2, "20261124T0900")])
  }

  @Test func `of many series all are read whose page is whole`() throws {
    do {
      let store = try folder.store()
      try store.commit(Self.changes((1...400).map { .series(.sample($0)) }))
    }
    let page = try folder.outside().read { db in
      try Int.fetchOne(
        db,
        sql: """
          SELECT pageno FROM dbstat WHERE name = 'companion' AND pagetype = 'leaf'
          ORDER BY path LIMIT 1 OFFSET 7
          """)
    }
    let file = try FileHandle(forWritingTo: URL(filePath: folder.file))
    try file.seek(toOffset: UInt64((try #require(page) - 1) * StoreOpening.pageSize))
    try file.write(contentsOf: Data(repeating: 0xAA, count: StoreOpening.pageSize))
    try file.close()
    let store = try folder.store()
    #expect(store.found?.areCheckInsInDoubt == true)
    let left = try store.load().checkIns.series.count
    #expect(left > 380 && left < 400, "\(left)")
  }

  @Test func `a damaged folder of a version without check-ins lacks none`() throws {
    try folder.plant(released: 4)
    try damage("UPDATE device SET body = 'x'")
    try damage("UPDATE notification SET body = 'x'")
    let report = try #require(try folder.store().found)
    #expect(report.areCheckInsInDoubt == nil, "\(report.found)")
    #expect(report.found.allSatisfy { !$0.contains("companion") && !$0.contains("occurrence") })
  }

  @Test func `a note of damage that an older version wrote is read`() throws {
    let note = Data(
      #"""
      {"stamp":"20260115T052700Z","wall":1,"found":["a"],"setAside":[],"rows":1,"backupRows":0,
       "isAlarmInDoubt":false,"raisedAgain":[]}
      """#.utf8)
    #expect(try JSONDecoder().decode(DamageReport.self, from: note).areCheckInsInDoubt == nil)
  }

  @Test(arguments: [
    "UPDATE companion SET body = replace(body, '\"lead\":90', '\"lead\":9223372036854775807')",
    "UPDATE companion SET body = replace(body, '\"nagEvery\":7', '\"nagEvery\":0')",
    "UPDATE companion SET body = replace(body, '\"lastSeries\":9', '\"lastSeries\":-1')",
    """
    UPDATE occurrence SET due = 9223372036854775807,
      body = replace(body, '\"due\":1768452480000000', '\"due\":9223372036854775807')
    """,
  ])
  func `a number that no command takes is damage, and traps no core`(sql: String) throws {
    try folder.store().commit(.ofEveryKind(1))
    try damage(sql)
    let store = try folder.store()
    #expect(store.found?.areCheckInsInDoubt == true)
    _ = AlertCore(
      account: Account(name: "Owner", contacts: [.first]), recovering: try store.load(),
      at: .second(100))
  }
}
