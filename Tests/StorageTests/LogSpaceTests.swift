import AlertCore
import Foundation
import Testing

@testable import Storage

/// The room that the store makes for SQLite's log before it is needed.
struct LogSpaceTests {
  private let folder: StateFolder

  init() throws { folder = try StateFolder() }

  @Test func `commits write where the log has room already`() throws {
    let store = try folder.store()
    let before = try folder.size(of: "/fob.sqlite-wal")
    for n in 1...30 as ClosedRange<UInt32> { try store.commit(.ofEveryKind(n)) }
    #expect(try folder.size(of: "/fob.sqlite-wal") == before)
    #expect(before > 4_120_000)
  }

  @Test(arguments: [0, 31, 32, 4_151, 4_152, 50_000, 123_456, 300_001])
  func `a log cut off anywhere is filled up behind what it holds, and loses nothing of that`(
    cut: UInt64
  ) throws {
    let store = try folder.store()
    for n in 1...20 as ClosedRange<UInt32> { try store.commit(.ofEveryKind(n)) }
    let all = try store.presses().map(\.event)
    let copy = try folder.leftByKill()
    try FileHandle(forWritingTo: URL(filePath: copy.path + "/fob.sqlite-wal"))
      .truncate(atOffset: cut)
    // The log has the tables, too.
    var found: [String] = []
    do {
      let opened = try copy.store()
      #expect(try copy.size(of: "/fob.sqlite-wal") > 4_120_000)
      found = try opened.presses().map(\.event)
      try opened.commit(.ofEveryKind(99))
    }
    #expect(found == Array(all.prefix(found.count)))
    #expect(try copy.store().presses().map(\.event) == found + ["1.99"])
  }

  @Test func `a disk without that room gets back what was taken, and commits go on`() async {
    await #expect(processExitsWith: .success) {
      let folder = try StateFolder()
      try FileSizeLimit.set(to: 1_000_000)
      let store = try folder.store()
      #expect(try folder.size(of: "/fob.sqlite-wal") < 400_000)
      try store.commit(.ofEveryKind(1))
      #expect(try store.presses().count == 1)
    }
  }
}
