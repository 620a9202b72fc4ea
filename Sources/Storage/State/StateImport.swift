public import Foundation
import GRDB

/// Imports an exported document where there is no state: all of it or nothing.
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
    let rows = try rows(of: document, named: name)
    return try insert(rows, into: SQLiteEngine(StoreFiles(directory: directory)), named: name)
  }

  /// Imports a document into a server's database, where no core may be.
  /// - Parameters:
  ///   - document: what `StateExport` wrote.
  ///   - name: of the document, for errors.
  ///   - server: of the database; its tables are made if they are not there, refused if they have
  ///     rows.
  /// - Returns: the number of rows.
  /// - Throws: `StorageFailure` naming the document, or the server, and a hint.
  @discardableResult
  public static func read(
    _ document: Data, named name: String, into server: PostgresServer
  ) throws -> Int {
    let rows = try rows(of: document, named: name)
    return try insert(rows, into: PostgresEngine(server, nil), named: name)
  }

  private static func rows(of document: Data, named name: String) throws -> [[[DatabaseValue]]] {
    do {
      guard document.count <= longest else {
        throw StateDocument.ImportMismatch(nil, "it is longer than \(longest >> 20) MiB")
      }
      let rows = try StateDocument(document).rows
      try RowCheck.all(rows)
      return rows
    } catch let misfit as StateDocument.ImportMismatch {
      throw Self.refusal(of: name, misfit)
    }
  }

  private static func insert(
    _ rows: [[[DatabaseValue]]], into engine: some StoreEngine, named name: String
  ) throws -> Int {
    do {
      try engine.write { db in
        try Self.requireEmpty(db, path: engine.path)
        try Self.insert(rows, db)
      }
      return rows.reduce(0) { $0 + $1.count }
    } catch let misfit as StateDocument.ImportMismatch {
      throw Self.refusal(of: name, misfit)
    } catch {
      throw engine.failure("import into", error)
    }
  }

  private static func refusal(of name: String, _ misfit: StateDocument.ImportMismatch)
    -> StorageFailure
  {
    StorageFailure(
      "import", path: name, reason: misfit.description,
      remedy: "nothing was imported; export the state again and import that")
  }

  private static func requireEmpty(_ db: any RowTarget, path: String) throws {
    for table in StateTable.all {
      guard try db.rows("SELECT 1 FROM \(table.name) LIMIT 1").isEmpty else {
        throw StorageFailure(
          "import into", path: path, reason: "there is state already, in table \(table.name)",
          remedy: path.hasPrefix("/")
            ? "name an empty folder with --state, or move this one aside"
            : "name an empty database with --store")
      }
    }
  }

  private static func insert(_ rows: [[[DatabaseValue]]], _ db: any RowTarget) throws {
    for (table, rows) in zip(StateTable.all, rows) {
      for (index, row) in rows.enumerated() {
        do {
          try db.writeRow(table.insertion, row.map { ColumnValue($0) })
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
          throw StateDocument.ImportMismatch((table, index), error.message ?? "it breaks a rule")
        }
      }
    }
  }
}

extension ColumnValue {
  fileprivate init(_ value: DatabaseValue) {
    switch value.storage {
    case .null: self = .null
    case .int64(let number): self = .integer(number)
    case .string(let text): self = .string(text)
    case .blob(let data): self = .bytes([UInt8](data))
    // A document has none.
    case .double: preconditionFailure("no column keeps a fraction")
    }
  }
}
