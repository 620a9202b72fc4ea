import Foundation
import TestSupport
import Testing

@testable import AlertCore
@testable import Storage

/// A write-ahead log that lost what was committed: SQLite says nothing of it.
@Suite struct TornLogTests {
  private static let names = ["/fob.sqlite", "/fob.sqlite-wal", "/fob.sqlite-shm"]

  /// As a kill leaves it, after some commits.
  private func killed() throws -> StateFolder {
    let folder = try StateFolder()
    let store = try folder.store()
    for n in 1...20 as ClosedRange<UInt32> { try store.commit(.ofEveryKind(n)) }
    return try folder.leftByKill(with: Self.names)
  }

  @Test func `what a kill leaves is no damage`() throws {
    let folder = try killed()
    let store = try folder.store()
    #expect(store.found == nil)
    #expect(try store.presses().count == 20)
  }

  @Test(arguments: [0, 31, 32, 5_000, 20_000, 60_000])
  func `a log cut off is told, with the alarm that it may have had`(length: UInt64) throws {
    let folder = try killed()
    let log = try FileHandle(forWritingTo: URL(filePath: folder.file + "-wal"))
    try log.truncate(atOffset: length)
    try log.close()
    let store = try folder.store()
    let report = try #require(store.found)
    #expect(report.found.first?.contains("write-ahead log") == true)
    let isOpen = try store.load().current?.state.isOpen ?? false
    #expect(report.isAlarmInDoubt == !isOpen)
    #expect(try store.presses().count < 20)
    try store.commit(.ofEveryKind(99))
  }

  @Test(arguments: 0..<6)
  func `a byte turned in the log is told`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try killed()
    let log = try FileHandle(forUpdating: URL(filePath: folder.file + "-wal"))
    let place = UInt64.random(in: 32..<60_000, using: &random)
    try log.seek(toOffset: place)
    let byte = try #require(try log.read(upToCount: 1)?.first)
    try log.seek(toOffset: place)
    try log.write(contentsOf: [byte ^ 0x10])
    try log.close()
    let store = try folder.store()
    // The part of a frame's head that SQLite never looks at.
    guard let report = store.found else {
      #expect(try store.presses().count == 20)
      return
    }
    #expect(report.found.first?.contains("write-ahead log is torn") == true)
  }

  @Test func `a log that is gone is told, and one that was folded in is not missed`() throws {
    let folder = try killed()
    try FileManager.default.removeItem(atPath: folder.file + "-wal")
    let report = try #require(try folder.store().found)
    #expect(report.found.first?.hasPrefix("the write-ahead log is gone, with ") == true)
    #expect(try folder.store().found == nil)
  }

  /// The index of before a power cut may be older than the log.
  @Test func `an index that speaks of an older log proves nothing`() throws {
    let folder = try killed()
    let log = try FileHandle(forUpdating: URL(filePath: folder.file + "-shm"))
    for start in [32, 80] as [UInt64] {
      try log.seek(toOffset: start)
      try log.write(contentsOf: [1, 2, 3, 4, 5, 6, 7, 8])
    }
    try log.close()
    let store = try folder.store()
    #expect(store.found == nil)
    #expect(try store.presses().count == 20)
  }
}
