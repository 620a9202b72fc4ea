import Foundation
import GRDB
import TestSupport
import Testing

@testable import AlertCore
@testable import Storage

/// A start survives whatever has become of its database, and says so.
@Suite struct DamageTests {
  @Test func `a folder in which nothing was yet starts without a word`() throws {
    let folder = try StateFolder()
    let store = try folder.store()
    #expect(store.found == nil)
    #expect(try store.damage() == nil)
    #expect(try store.load().damage == nil)
  }

  @Test func `a first start that was killed at its beginning is no damage`() throws {
    let folder = try StateFolder()
    try folder.plant(Data("half".utf8))
    try FileManager.default.moveItem(atPath: folder.file, toPath: folder.file + ".part")
    #expect(try folder.store().found == nil)
  }

  @Test func `a database cut to nothing under an open alarm is told, and puts help in doubt`()
    throws
  {
    let damaged = try DamagedFolder()
    try damaged.cut(to: 0)
    let report = try #require(try damaged.expectSurvival("cut to 0"))
    #expect(report.found == ["fob.sqlite was empty"])
    #expect(report.isAlarmInDoubt)
    #expect(report.words.contains("an alarm may have been open and cannot be read"))
    #expect(try damaged.folder.names.contains(damaged.folder.setAside() + ".json"))
  }

  @Test func `a database that is gone is missed`() throws {
    let damaged = try DamagedFolder()
    try FileManager.default.removeItem(atPath: damaged.folder.file)
    let report = try #require(try damaged.expectSurvival("gone"))
    #expect(report.found == ["fob.sqlite was not there"])
    #expect(report.setAside.isEmpty)
    #expect(report.isAlarmInDoubt)
  }

  @Test(arguments: [true, false])
  func `where the database is empty or gone, its log is read, and an open alarm is told again`(
    isGone: Bool
  ) throws {
    let folder = try StateFolder()
    let store = try folder.store()
    let open = Incident.sample(1, .emergencySent, openedAt: 10)
    try store.commit(.of([.press(1)], incidents: [open]))
    let left = try folder.leftByKill(with: ["/fob.sqlite-wal"])
    if !isGone { try left.plant(Data()) }
    let after = try left.store()
    let state = try after.load()
    #expect(state.current?.id == open.id)
    #expect(state.damage?.raisedAgain == [open.id])
    #expect(state.damage?.isAlarmInDoubt == false)
    #expect(try after.presses().map(\.event) == ["1.1"])
    #expect(try !left.names.contains { $0.contains("blank") })
  }

  @Test(arguments: ["-wal", "-shm"])
  func `a pipe in the place of a file keeps no start waiting`(suffix: String) throws {
    let damaged = try DamagedFolder()
    let path = damaged.folder.file + suffix
    unlink(path)
    try #require(mkfifo(path, 0o600) == 0)
    do {
      #expect(try damaged.folder.store().found != nil)
    } catch let failure as StorageFailure {
      #expect(failure.description.contains("fob.sqlite"))
    }
  }

  @Test func `a file of another kind is set aside as it is`() throws {
    let damaged = try DamagedFolder()
    let bytes = Data(repeating: 0x55, count: 8_192)
    try bytes.write(to: URL(filePath: damaged.folder.file))
    let report = try #require(try damaged.expectSurvival("foreign file"))
    #expect(report.found == ["fob.sqlite: file is not a database"])
    let aside = damaged.folder.path + "/" + (try damaged.folder.setAside())
    #expect(try Data(contentsOf: URL(filePath: aside)) == bytes)
  }

  @Test func `another program's database is set aside as it is`() throws {
    let damaged = try DamagedFolder()
    try FileManager.default.removeItem(atPath: damaged.folder.file)
    try damaged.folder.outside().write { db in try db.execute(sql: "CREATE TABLE other (a)") }
    let report = try #require(try damaged.expectSurvival("foreign database"))
    #expect(report.found.first == "fob.sqlite is another program's database")
    let aside = try DatabaseQueue(
      path: damaged.folder.path + "/" + damaged.folder.setAside())
    #expect(try aside.read { try $0.tableExists("other") })
  }

  @Test func `a damaged head of the file loses nothing without a word`() throws {
    let damaged = try DamagedFolder()
    try damaged.overwrite(at: 0, with: Array(repeating: 0xAA, count: 100))
    #expect(try damaged.expectSurvival("head") != nil)
  }

  /// Whole pages, and single bytes as a bad memory leaves them.
  @Test(arguments: 0..<(Soak.isOn ? 24 : 12))
  func `a page overwritten anywhere leaves a core that runs and an alarm that is known`(
    place: Int
  ) throws {
    var random = SeededGenerator(seed: UInt64(place) &+ 19)
    let damaged = try DamagedFolder(backsUp: place % 3 == 0)
    let size = try Int(damaged.folder.size(of: "/fob.sqlite"))
    let pages = size / 4_096
    let page = place < 8 ? place : Int.random(in: 0..<pages, using: &random)
    let count = place.isMultiple(of: 2) ? 4_096 : Int.random(in: 1...64, using: &random)
    let offset = count == 4_096 ? 0 : Int.random(in: 0..<4_096 - count, using: &random)
    let bytes = (0..<count).map { _ in UInt8.random(in: 0 ... .max, using: &random) }
    try damaged.overwrite(at: page * 4_096 + offset, with: bytes)
    let report = try damaged.expectSurvival("place \(place): page \(page) of \(pages)")
    #expect(count < 4_096 || report != nil, "a whole page is missed: \(page)")
  }

  @Test func `a file cut off anywhere is told`() throws {
    for pages in [1, 2, 5, 11, 20] {
      let damaged = try DamagedFolder()
      try damaged.cut(to: UInt64(pages) * 4_096 + 100)
      #expect(try damaged.expectSurvival("cut to \(pages) pages") != nil)
    }
  }

  static let rows = [
    ("account", "UPDATE account SET body = '{\"name\":'"),
    ("device", "UPDATE device SET body = '' WHERE id = (SELECT MIN(id) FROM device)"),
    ("event", "UPDATE event SET payload = x'00' WHERE number = 0x100000005"),
    ("event", "UPDATE event SET nonce = nonce + 1 WHERE number = 0x1000003e8"),
    ("incident", "UPDATE incident SET body = substr(body, 9) WHERE state = 'EMERGENCY_SENT'"),
    ("incident", "UPDATE incident SET body = '[]' WHERE opened_wall % 2 = 0"),
    ("incident_list", "UPDATE incident_list SET body = '7'"),
    ("notification", "UPDATE notification SET body = '\"\"' WHERE delivery = 'due'"),
    ("companion", "UPDATE companion SET body = substr(body, 9) WHERE id = '7'"),
    ("companion", "UPDATE companion SET body = replace(body, ':7', ':0') WHERE kind = 'settings'"),
    ("companion", "UPDATE companion SET kind = 'counter' WHERE kind = 'counts'"),
    ("occurrence", "UPDATE occurrence SET body = '{}' WHERE state = 'open'"),
    ("occurrence", "UPDATE occurrence SET due = due + 1 WHERE series = 9"),
  ]

  @Test(arguments: rows)
  func `a row that cannot be read keeps no core from starting`(
    table: String, sql: String
  ) throws {
    let damaged = try DamagedFolder()
    try damaged.folder.outside().write { db in try db.execute(sql: sql) }
    // A row that no start reads is found by who looks at all.
    let isSeen = try !StateCheck(directory: damaged.folder.path).faults.isEmpty
    #expect(isSeen)
    try Data().write(to: URL(filePath: damaged.folder.file + ".suspect"))
    let report = try damaged.expectSurvival("\(sql)")
    guard table != "event" else { return }
    #expect(try #require(report).found.contains { $0.hasPrefix("table \(table) has") })
    #expect(try damaged.folder.store().presses().count == damaged.before.presses.count + 1)
  }

  @Test
  func `an open alarm whose row is lost goes on, by its press and the log, and is told again`()
    throws
  {
    let damaged = try DamagedFolder()
    try damaged.folder.outside().write { db in
      try db.execute(sql: "UPDATE incident SET body = 'x' WHERE state = 'EMERGENCY_SENT'")
    }
    let store = try damaged.folder.store()
    let state = try store.load()
    let current = try #require(state.current)
    #expect(current.id == damaged.open.id)
    #expect(current.state == .emergencySending)
    #expect(current.presses.map(\.event) == ["1.1000"], "its entries have rows of their own")
    #expect(current.messages == 1)
    #expect(current.openedAt.wall == Timestamp.second(3).wall)
    #expect(state.damage?.raisedAgain == [damaged.open.id])
    #expect(state.damage?.isAlarmInDoubt == false)
    let others = try store.incidents().filter { $0.id != current.id }
    #expect(others.allSatisfy { $0.state == .noEmergency }, "what was over stays so")
  }

  @Test func `names of migrations that no version has are damage, and a newer version's are not`()
    throws
  {
    let damaged = try DamagedFolder()
    try damaged.folder.outside().write { db in
      try db.execute(sql: "UPDATE grdb_migrations SET identifier = 'q' WHERE identifier LIKE '2%'")
    }
    let report = try #require(try damaged.expectSurvival("migrations"))
    #expect(report.rows > damaged.before.presses.count)
    #expect(!report.isAlarmInDoubt, "all of it could be read")
  }

  @Test func `a start that was killed while it put the salvaged database in place ends it`() throws
  {
    let damaged = try DamagedFolder()
    let files = StoreFiles(directory: damaged.folder.path)
    try FileManager.default.copyItem(
      atPath: damaged.folder.file, toPath: files.salvaged("20260115T052700Z"))
    try damaged.overwrite(at: 0, with: Array(repeating: 0, count: 8_192))
    let store = try damaged.folder.store()
    #expect(store.found == nil)
    #expect(try DamagedFolder.Contents(store) == damaged.before)
    #expect(try damaged.folder.names.contains("fob.sqlite.damaged-20260115T052700Z"))
  }

  @Test func `what was damaged is said until its note is taken away`() throws {
    let damaged = try DamagedFolder()
    try damaged.cut(to: 0)
    let note = try #require(try damaged.folder.store().found?.stamp)
    let later = try damaged.folder.store()
    #expect(later.found == nil)
    #expect(try later.damage()?.isAlarmInDoubt == true)
    try later.commit(.of(incidents: [.sample(7, .emergencySent, openedAt: 90_000_000_000)]))
    #expect(try later.damage()?.isAlarmInDoubt == false, "a later alarm is known")
    try FileManager.default.removeItem(
      atPath: damaged.folder.path + "/fob.sqlite.damaged-\(note).json")
    #expect(try later.damage() == nil)
  }
}
