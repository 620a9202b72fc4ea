import FobBase
import Foundation
import GRDB
import Testing

@testable import AlertCore
@testable import Storage

/// The log is brought into the database behind the commits, so that no press waits for that.
struct CheckpointerTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder() }

  private func store(due: Int, most: Int) throws -> AlertStore {
    AlertStore(
      .first,
      try SQLiteEngine(
        StoreFiles(directory: folder.path),
        checkpoints: Checkpointer.Bounds(due: due, most: most, rest: .zero)),
      in: folder.path)
  }

  /// Differs each time that the log has started over.
  private var salts: Data {
    get throws {
      let log = try FileHandle(forReadingFrom: URL(filePath: folder.file + "-wal"))
      return try #require(try log.read(upToCount: 24)).suffix(8)
    }
  }

  /// - Returns: how many commits that took.
  private func commitUntilLogStartsOver(_ store: AlertStore, from first: UInt32) throws -> UInt32 {
    let before = try salts
    for n in 0..<100_000 as Range<UInt32> {
      try store.commit(.ofEveryKind(first + n))
      if try salts != before { return n + 1 }
    }
    Issue.record("the log never started over")
    return 0
  }

  @Test func `the log starts over behind the commits, of which none makes a checkpoint`() throws {
    let store = try store(due: 400, most: .max)
    try store.commit(.ofEveryKind(1))
    let commits = try commitUntilLogStartsOver(store, from: 2)
    #expect(commits > 10)
    #expect(store.checkpointer.blockingCheckpoints == 0)
    #expect(try store.presses().count == Int(commits) + 1)
    // Another program finds in the database alone what came before.
    let copy = try folder.leftByKill(with: ["/fob.sqlite"])
    let held = try copy.outside().read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM event") }
    #expect(try #require(held) >= Int(commits))
  }

  @Test func `behind a reader that does not end the log grows, and commits go on`() throws {
    let store = try store(due: 50, most: 300)
    try store.commit(.ofEveryKind(1))
    let before = try salts
    var number: UInt32 = 1
    try folder.outside().read { db in
      _ = try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM event")
      while store.checkpointer.blockingCheckpoints < 3 {
        number += 1
        try store.commit(.ofEveryKind(number))
      }
    }
    #expect(try salts == before)
    _ = try commitUntilLogStartsOver(store, from: number + 1)
    #expect(try store.presses().count > Int(number))
  }

  @Test func `an erasure goes through, however often checkpoints are made`() throws {
    let store = try store(due: 1, most: .max)
    for n in 1...100 as ClosedRange<UInt32> { try store.commit(.ofEveryKind(n)) }
    var changes = Changes()
    changes.erasesAccount = true
    try store.commit(changes)
    #expect(store.removeErased() == nil)
    let isOwed = try folder.outside().read {
      try Bool.fetchOne($0, sql: "SELECT 1 FROM setting WHERE name = 'erasing'")
    }
    #expect(isOwed == nil)
  }

  @Test func `what a kill leaves between checkpoints has each commit`() throws {
    let store = try store(due: 1, most: .max)
    for n in 1...60 as ClosedRange<UInt32> {
      try store.commit(.ofEveryKind(n))
      guard n.isMultiple(of: 10) else { continue }
      let copy = try store.checkpointer.pausing { try folder.leftByKill() }
      #expect(try copy.store().presses().count == Int(n))
    }
  }
}
