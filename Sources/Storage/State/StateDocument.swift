public import AlertCore
import FobBase
import Foundation
import GRDB

/// An exported document, checked for its shape. The contents of its rows are checked before they
/// are written.
struct StateDocument {
  /// In the order of `StateTable.all`.
  private(set) var rows: [[[DatabaseValue]]] = []

  /// - Throws: `ImportMismatch` if it is no such document, or of a version that cannot be read.
  init(_ data: Data) throws {
    do {
      let body = try JSONDecoder().decode(Body.self, from: data)
      rows = body.rows
    } catch let misfit as ImportMismatch {
      throw misfit
    } catch {
      throw ImportMismatch(nil, "it is not JSON as an export writes it, or not all of it")
    }
  }

  /// What does not fit and where: the table's name and the row, counted from 1.
  struct ImportMismatch: Error, CustomStringConvertible {
    let description: String

    init(_ place: (table: StateTable, row: Int)?, _ reason: String) {
      description =
        place.map { "table \($0.table.name), row \($0.row + 1): \(reason)" } ?? reason
    }
  }
}

extension StateDocument {
  private struct Body: Decodable {
    let rows: [[[DatabaseValue]]]

    enum Key: CodingKey { case format, schema, tables }

    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: Key.self)
      guard try values.decode(String.self, forKey: .format) == StateExport.format else {
        throw ImportMismatch(nil, "its format is not \(StateExport.format)")
      }
      let schema = try values.decode(Int.self, forKey: .schema)
      guard Self.readable.contains(schema) else {
        let whose = schema > Schema.version ? "a newer" : "an older"
        throw ImportMismatch(
          nil,
          "\(whose) version wrote it (schema \(schema), this one reads"
            + " \(Self.readable.lowerBound) to \(Schema.version)); import it with that version")
      }
      var tables = try values.nestedUnkeyedContainer(forKey: .tables)
      rows = try StateTable.all.map { table in
        // A later table is empty.
        guard table.schema <= schema else { return [] }
        guard !tables.isAtEnd else { throw ImportMismatch(nil, "table \(table.name) is missing") }
        return try Self.rows(
          of: table, schema: schema, tables.nestedContainer(keyedBy: TableKey.self))
      }
      guard tables.isAtEnd else {
        throw ImportMismatch(nil, "it has more tables than this version")
      }
    }

    enum TableKey: CodingKey { case name, columns, rows }

    /// The first version that exported wrote schema 3.
    private static let readable = 3...Schema.version

    /// Columns of a later schema have the value that stands for their absence.
    private static func rows(
      of table: StateTable, schema: Int, _ values: KeyedDecodingContainer<TableKey>
    ) throws -> [[DatabaseValue]] {
      let name = try values.decode(String.self, forKey: .name)
      let written = table.columns(ofSchema: schema)
      let columns = written.map(\.name)
      guard name == table.name, try values.decode([String].self, forKey: .columns) == columns else {
        throw ImportMismatch(
          nil,
          "table \(table.name) with columns \(columns.joined(separator: ", "))"
            + " is not where it belongs")
      }
      var list = try values.nestedUnkeyedContainer(forKey: .rows)
      var rows: [[DatabaseValue]] = []
      while !list.isAtEnd {
        let place = (table, rows.count)
        do {
          var row = try list.nestedUnkeyedContainer()
          rows.append(
            try table.columns.map { column in
              guard column.schema <= schema else { return column.absent }
              return try Self.value(of: column, &row, at: place)
            })
          guard row.isAtEnd else { throw ImportMismatch(place, "it has too many values") }
        } catch is DecodingError {
          throw ImportMismatch(place, "it is no list of \(columns.count) values")
        }
      }
      return rows
    }

    private static func value(
      of column: StateTable.Column, _ row: inout any UnkeyedDecodingContainer,
      at place: (StateTable, Int)
    ) throws -> DatabaseValue {
      if try row.decodeNil() {
        guard column.mayBeNull else {
          throw ImportMismatch(place, "\(column.name) may not be null")
        }
        return .null
      }
      do {
        switch column.kind {
        case .integer: return try row.decode(Int64.self).databaseValue
        case .text: return try row.decode(String.self).databaseValue
        case .blob:
          // In small digits alone, as an export writes them.
          let text = try row.decode(String.self)
          guard let bytes = Hex.bytes(text), Hex.text(bytes) == text else {
            throw ImportMismatch(place, "\(column.name) is not in hexadecimal")
          }
          return Data(bytes).databaseValue
        }
      } catch let misfit as ImportMismatch {
        throw misfit
      } catch {
        let kind = column.kind == .integer ? "a whole number" : "a text"
        throw ImportMismatch(place, "\(column.name) is not \(kind)")
      }
    }
  }
}

/// Writes a state folder as one JSON document: `format`, `schema`, `lacks` and the tables, one row
/// a line. It holds everything that was committed, the PIN's hash as well: keep it as safe as the
/// folder. It lacks the files that let people in; `lacks` names them.
///
/// It is read from one snapshot of the write-ahead log, without the folder's lock: a `fob` that
/// owns the folder goes on meanwhile.
public enum StateExport {
  static let format = "fob-state"

  /// A file of the folder that no document contains.
  public struct MissingFile: Sendable {
    /// The file's name in the state folder.
    public let file: String
    /// What the file is, and what to do after an import without it.
    public let words: String
  }

  /// The files that an export leaves out, as its `lacks` member lists them.
  public static let lacks = [
    MissingFile(
      file: "tokens.json",
      words: "who may use the HTTP API: where the whole core moves, copy it into the new folder,"
        + " else make each token anew by fob token create; until then bridges on other hosts are"
        + " refused"),
    MissingFile(
      file: "ack-key",
      words: "the key of links in messages, of all accounts: where the whole core moves, copy it"
        + " into the new folder; else links that were sent before lead nowhere"),
    MissingFile(
      file: "keys",
      words: "the keys of paired keychains: bring them by fob keys export and fob keys import;"
        + " until then nothing proves what these keychains say, and they believe nobody"),
  ]

  /// Exports the state of a folder.
  /// - Parameters:
  ///   - directory: the state folder, which is only read.
  ///   - account: exported as the first and only account of its document; nil: all accounts.
  ///   - write: gets the document piece by piece, in order.
  /// - Throws: `StorageFailure` if there is no state, or not this account, or it cannot be read;
  ///   whatever `write` throws.
  public static func write(
    directory: String, account: AccountNumber? = nil, to write: (String) throws -> Void
  ) throws {
    let isThere: Void? = try read(directory, to: "export") { db, path in
      try export(account, from: db, at: path, to: write)
    }
    guard isThere != nil else {
      throw StorageFailure(
        "export", path: directory, reason: "no state is there",
        remedy: "name the folder that fob keeps its state in")
    }
  }

  /// Whether a folder's state has an account that nobody has deleted. Read as an export is.
  /// - Returns: nil where the folder has no rows: no core has run there, or they are on a server.
  /// - Throws: `StorageFailure`.
  public static func has(_ account: AccountNumber, in directory: String) throws -> Bool? {
    try read(directory, to: "look for an account in") { db, _ in
      try StateReader(db, account).standing() ?? .deleted != .deleted
    }
  }

  /// - Returns: nil where nothing is there.
  private static func read<Value>(
    _ directory: String, to purpose: String, _ body: (Database, _ path: String) throws -> Value
  ) throws -> Value? {
    let path = directory + "/fob.sqlite"
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(5)
    do {
      let database = try DatabaseQueue(path: path, configuration: configuration)
      return try database.read { db in
        try Schema.requirePresent(db, path: path)
        return try body(db, path)
      }
    } catch let error as DatabaseError {
      throw StorageFailure(purpose, path: path, error)
    }
  }

  /// Exports the state of a server's database, which is only read: one moment of it, while a core
  /// goes on.
  /// - Parameters:
  ///   - server: of the database.
  ///   - account: as of the other `write`.
  ///   - write: gets the document piece by piece, in order.
  /// - Throws: as the other `write`.
  public static func write(
    server: PostgresServer, account: AccountNumber? = nil, to write: (String) throws -> Void
  ) throws {
    do {
      try PostgresReader(server).read { db in
        try PostgresSchema.requirePresent(db, path: server.url)
        try export(account, from: db, at: server.url, to: write)
      }
    } catch let error as PostgresError {
      throw StorageFailure("export", path: server.url, error)
    }
  }

  /// As `write`, from what is at `path`.
  static func export(
    _ account: AccountNumber?, from db: any RowSource, at path: String,
    to write: (String) throws -> Void
  ) throws {
    if let account, try StateReader(db, account).standing() ?? .deleted == .deleted {
      throw StorageFailure(
        "export", path: path, reason: "there is no account \(account)",
        remedy: "GET /v1/accounts lists those that are there")
    }
    try export(account, db, to: write)
  }

  static func export(
    _ account: AccountNumber?, _ db: any RowSource, to write: (String) throws -> Void
  ) throws {
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
      if let rows = account.map({ table.selection(of: $0) }) ?? table.selection {
        try writeRows(rows, of: table, db, to: write)
      }
      try write("]}")
    }
    try write("\n]}\n")
  }

  private static func writeRows(
    _ selection: String, of table: StateTable, _ db: any RowSource,
    to write: (String) throws -> Void
  ) throws {
    var separator = "\n"
    try db.each(selection, []) { row in
      let values = try row.values.map { try text(of: $0) }
      try write("\(separator)[\(values.joined(separator: ","))]")
      separator = ",\n"
    }
  }

  private static func text(of value: ColumnValue) throws -> String {
    switch value {
    case .null: "null"
    case .integer(let number): "\(number)"
    case .string(let text): try JSON.encode(text)
    case .utf8(let text): try JSON.encode(String(decoding: text, as: UTF8.self))
    case .bytes(let bytes): "\"\(Hex.text(bytes))\""
    }
  }
}
