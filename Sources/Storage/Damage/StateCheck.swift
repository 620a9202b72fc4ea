import FobBase
public import Foundation
import GRDB

/// A check of all files of a state folder, or of its rows at a server. It changes nothing, and a
/// `fob` that owns the folder goes on meanwhile.
public struct StateCheck: Sendable {
  /// The state folder that was checked.
  public let directory: String
  /// The URL of the server that has its rows; nil: they are in the folder.
  public let server: String?
  /// Damage of the database, one clause each, about 20 at most; empty if everything is whole.
  public private(set) var faults: [String] = []
  /// How many rows were read; 0 if damage kept the tables from being read.
  public private(set) var rows = 0
  /// Damage that was found earlier and that nobody has seen to.
  public let reports: [DamageReport]
  /// When the backup was made; nil if there is none.
  public let backup: Date?
  /// Damage of the backup, one clause each; empty if it is whole or not there.
  public private(set) var backupFaults: [String] = []

  /// Checks at once and blocks, up to ten minutes a file for the check by SQLite.
  /// - Throws: `StorageFailure` if there is no state, or if another version wrote it, or the server
  ///   does not answer; `IOFailure` if a file cannot be read.
  public init(directory: String) throws {
    self.directory = directory
    let files = StoreFiles(directory: directory)
    reports = DamageReport.all(in: files)
    backup = StateBackup.date(in: directory)
    guard FileManager.default.fileExists(atPath: directory) else {
      throw StorageFailure(
        "check", path: directory, reason: "no state is there",
        remedy: "name the folder that fob keeps its state in")
    }
    server = try files.serverNote().first
    if let server {
      (faults, rows) = try Self.look(at: PostgresServer(server))
      return
    }
    faults = try StoreOpening(files: files).damageAtRest()
    if faults.isEmpty { (faults, rows) = try Self.look(at: files.database) }
    if backup != nil { backupFaults = try Self.look(at: files.backup).faults }
  }

  private static func look(at path: String) throws -> (faults: [String], rows: Int) {
    guard FileManager.default.fileExists(atPath: path) else { return ([], 0) }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    do {
      return try DatabaseQueue(path: path, configuration: configuration).read { db in
        try Schema.requirePresent(db, path: path)
        var faults = try StoreOpening.faults(db, within: 600)
        var count = 0
        for table in StateTable.all {
          let rows = try Row.fetchCursor(db, sql: table.selection)
          while let row = try rows.next() {
            count += 1
            let values = table.columns.indices.map { row[$0] as DatabaseValue }
            note(values, of: table, &faults)
          }
        }
        return (faults, count)
      }
    } catch let error where StoreOpening.isDamage(error) {
      return ([StoreOpening.clause(error)], 0)
    } catch let error as DatabaseError {
      throw StorageFailure("check", path: path, error)
    }
  }

  /// The rows as the server gives them: its pages are its own matter.
  private static func look(at server: PostgresServer) throws -> (faults: [String], rows: Int) {
    do {
      return try PostgresReader(server).read { db in
        try PostgresSchema.requirePresent(db, path: server.url)
        var (faults, count) = ([String](), 0)
        for table in StateTable.all {
          try db.each(table.selection, []) { row in
            count += 1
            note(row.values.map { DatabaseValue($0) }, of: table, &faults)
          }
        }
        return (faults, count)
      }
    } catch let error as PostgresError {
      throw StorageFailure("check", path: server.url, error)
    }
  }

  private static func note(
    _ values: [DatabaseValue], of table: StateTable, _ faults: inout [String]
  ) {
    guard faults.count < 20, let reason = RowCheck.misfit(of: values, in: table) else { return }
    faults.append("table \(table.name): \(reason)")
  }
}

extension DatabaseValue {
  fileprivate init(_ value: ColumnValue) {
    switch value {
    case .integer(let number): self = number.databaseValue
    case .string(let text): self = text.databaseValue
    case .utf8(let text): self = String(decoding: text, as: UTF8.self).databaseValue
    case .bytes(let bytes): self = Data(bytes).databaseValue
    case .null: self = .null
    }
  }
}
