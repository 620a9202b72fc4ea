import Foundation
import GRDB
import TestSupport
import Testing

@testable import Storage

/// A state folder of a test's own, removed with all that is in it.
final class StateFolder {
  let path: String

  init() throws {
    let scratch = FileManager.default.temporaryDirectory
    path = scratch.appending(path: "fob-store-\(UUID().uuidString)").path
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var file: String { path + "/fob.sqlite" }

  /// The store, opened; an earlier one must have been let go of.
  func store() throws -> AlertStore { try AlertStore(directory: path) }

  /// The file as another program sees it: for what the store itself never reads or does.
  func outside() throws -> DatabaseQueue { try DatabaseQueue(path: file) }

  func mode(of name: String = "") throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
    return try #require(attributes[.posixPermissions] as? Int)
  }

  /// Bytes.
  func size(of name: String) throws -> UInt64 {
    let attributes = try FileManager.default.attributesOfItem(atPath: path + name)
    return try #require(attributes[.size] as? UInt64)
  }

  /// As a kill leaves it: the log not yet in the file, and nobody there.
  func leftByKill(
    with names: [String] = ["/fob.sqlite", "/fob.sqlite-wal"]
  ) throws -> StateFolder {
    let copy = try StateFolder()
    try FileManager.default.createDirectory(atPath: copy.path, withIntermediateDirectories: true)
    for name in names {
      try FileManager.default.copyItem(atPath: path + name, toPath: copy.path + name)
    }
    return copy
  }

  /// Makes the folder, and the file with these bytes.
  func plant(_ bytes: Data) throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try bytes.write(to: URL(filePath: file))
  }

  /// Names of files, without those of SQLite's that come and go.
  var names: Set<String> {
    get throws { Set(try FileManager.default.contentsOfDirectory(atPath: path)) }
  }

  /// The database set aside by the last start that found damage.
  func setAside() throws -> String {
    let found = try names.filter { $0.hasPrefix("fob.sqlite.damaged-") && $0.hasSuffix("Z") }
    return try #require(found.sorted().last)
  }

  /// Makes the folder, and the file as the code of a released version wrote it.
  func plant(released version: Int) throws {
    let sql = try String(
      contentsOf: Repository.root.appending(
        path: "Tests/StorageTests/Released/schema-\(version).sql"), encoding: .utf8)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try outside().writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      try db.execute(sql: sql)
    }
  }
}

extension AlertStore {
  /// Of the store in a folder.
  private var sqlite: SQLiteEngine { engine as! SQLiteEngine }
  var database: DatabasePool { sqlite.database }
  var checkpointer: Checkpointer { sqlite.checkpointer }
  func synchronous() throws -> Int { try sqlite.synchronous() }
}
