public import Foundation
import GRDB

/// Imports an exported document into a folder without state: all of it or nothing.
public enum StateImport {
  /// The longest document, in bytes.
  public static let longest = 256 << 20

  /// Imports a document.
  /// - Parameters:
  ///   - document: what `StateExport` wrote.
  ///   - name: of the document, for errors.
  ///   - directory: the state folder; made if it is not there, refused if it has state.
  /// - Returns: the number of rows.
  /// - Throws: `StorageFailure` naming the document, or the folder's file, and a hint; `IOFailure`
  ///   if another process holds the folder.
  @discardableResult
  public static func read(
    _ document: Data, named name: String, into directory: String
  ) throws -> Int {
    let rows: [[[DatabaseValue]]]
    do {
      guard document.count <= longest else {
        throw StateDocument.ImportMismatch(nil, "it is longer than \(longest >> 20) MiB")
      }
      rows = try StateDocument(document).rows
      try RowCheck.all(rows)
    } catch let misfit as StateDocument.ImportMismatch {
      throw Self.refusal(of: name, misfit)
    }
    let store = try AlertStore(directory: directory)
    do {
      try store.database.write { db in
        try Self.requireEmpty(db, path: store.path)
        try Self.insert(rows, db)
      }
    } catch let misfit as StateDocument.ImportMismatch {
      throw Self.refusal(of: name, misfit)
    } catch {
      throw StorageFailure("import into", path: store.path, error)
    }
    return rows.reduce(0) { $0 + $1.count }
  }

  private static func refusal(of name: String, _ misfit: StateDocument.ImportMismatch)
    -> StorageFailure
  {
    StorageFailure(
      "import", path: name, reason: misfit.description,
      remedy: "nothing was imported; export the state again and import that")
  }

  private static func requireEmpty(_ db: Database, path: String) throws {
    for table in StateTable.all {
      guard try Row.fetchOne(db, sql: "SELECT 1 FROM \(table.name) LIMIT 1") == nil else {
        throw StorageFailure(
          "import into", path: path, reason: "there is state already, in table \(table.name)",
          remedy: "name an empty folder with --state, or move this one aside")
      }
    }
  }

  private static func insert(_ rows: [[[DatabaseValue]]], _ db: Database) throws {
    for (table, rows) in zip(StateTable.all, rows) {
      let statement = try db.makeStatement(sql: table.insertion)
      for (index, row) in rows.enumerated() {
        do {
          try statement.execute(arguments: StatementArguments(row))
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
          throw StateDocument.ImportMismatch((table, index), error.message ?? "it breaks a rule")
        }
      }
    }
  }
}
