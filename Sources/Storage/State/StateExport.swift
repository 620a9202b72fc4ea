import FobBase
import Foundation
import GRDB

/// A state folder as one JSON document: `format`, `schema`, `lacks` and the tables, one row a line.
/// All that was committed is there, the PIN's hash as well: a document is to be kept as the folder
/// is. What lets people in is not: `lacks` names it.
///
/// It is read from one snapshot of the write-ahead log, without the folder's lock: a `fob` that
/// owns the folder goes on meanwhile.
public enum StateExport {
  static let format = "fob-state"

  /// A file of the folder that no document has.
  public struct MissingFile: Sendable {
    public let file: String
    /// What it is, and what to do after an import without it.
    public let words: String
  }

  public static let lacks = [
    MissingFile(
      file: "tokens.json",
      words: "who may use the HTTP API: copy it into the new folder, or make each token anew by"
        + " fob token create; until then bridges on other hosts are refused"),
    MissingFile(
      file: "ack-key",
      words: "the key of links in messages: copy it into the new folder, or links that were sent"
        + " before lead nowhere"),
  ]

  /// - Parameter write: is handed the document piece by piece, in order.
  /// - Throws: `StorageFailure`, and what `write` throws.
  public static func write(directory: String, to write: (String) throws -> Void) throws {
    let path = directory + "/fob.sqlite"
    guard FileManager.default.fileExists(atPath: path) else {
      throw StorageFailure(
        "export", path: directory, reason: "no state is there",
        remedy: "name the folder that fob keeps its state in")
    }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    do {
      let database = try DatabaseQueue(path: path, configuration: configuration)
      try database.read { db in
        try Schema.requirePresent(db, path: path)
        try export(db, to: write)
      }
    } catch let error as DatabaseError {
      throw StorageFailure("export", path: path, error)
    }
  }

  private static func export(_ db: Database, to write: (String) throws -> Void) throws {
    let lacking = try lacks.map {
      "{\"file\":\(try JSON.encode($0.file)),\"words\":\(try JSON.encode($0.words))}"
    }
    try write(
      "{\"format\":\"\(format)\",\"schema\":\(Schema.version),"
        + "\"lacks\":[\(lacking.joined(separator: ","))],\"tables\":[")
    for (index, table) in StateTable.all.enumerated() {
      let columns = table.columns.map { "\"\($0.name)\"" }.joined(separator: ",")
      try write(
        (index == 0 ? "\n" : ",\n")
          + "{\"name\":\"\(table.name)\",\"columns\":[\(columns)],\"rows\":[")
      try writeRows(of: table, db, to: write)
      try write("]}")
    }
    try write("\n]}\n")
  }

  private static func writeRows(
    of table: StateTable, _ db: Database, to write: (String) throws -> Void
  ) throws {
    let rows = try Row.fetchCursor(db, sql: table.selection)
    var separator = "\n"
    while let row = try rows.next() {
      let values = try table.columns.indices.map { try text(of: row[$0]) }
      try write("\(separator)[\(values.joined(separator: ","))]")
      separator = ",\n"
    }
  }

  private static func text(of value: DatabaseValue) throws -> String {
    switch value.storage {
    case .null: "null"
    case .int64(let number): "\(number)"
    case .string(let text): try JSON.encode(text)
    case .blob(let data): "\"\(Hex.text(data))\""
    // The tables are strict, and none has a column of this kind.
    case .double: preconditionFailure("a strict table keeps no other kind of value")
    }
  }
}
