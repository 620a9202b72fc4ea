import FobBase
public import Foundation
import GRDB

/// A check of all files of a state folder. It changes nothing, and a `fob` that owns the folder
/// goes on meanwhile.
public struct StateCheck: Sendable {
  /// The state folder that was checked.
  public let directory: String
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
  /// - Throws: `StorageFailure` if there is no state, or if another version wrote it; `IOFailure`
  ///   if a file cannot be read.
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
            guard faults.count < 20, let reason = RowCheck.misfit(of: values, in: table) else {
              continue
            }
            faults.append("table \(table.name): \(reason)")
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
}
