import GRDB
import GRDBSQLite

/// A value of a column.
enum ColumnValue {
  case integer(Int64), string(String), utf8([UInt8]), bytes([UInt8]), null

  static func text(_ text: String?) -> Self { text.map { .string($0) } ?? .null }
  static func number(_ number: (some BinaryInteger)?) -> Self {
    number.map { .integer(Int64(truncatingIfNeeded: $0)) } ?? .null
  }
}

extension Database {
  /// Makes the writes of `body` durable: all of them or none. GRDB's own transaction compiles its
  /// BEGIN each time, which took a seventh of a commit's processor time.
  func committing<T>(_ body: () throws -> T) throws -> T {
    try writeRow("BEGIN IMMEDIATE", [])
    do {
      let result = try body()
      try writeRow("COMMIT", [])
      return result
    } catch {
      // The first error is thrown, even if SQLite has rolled back by itself.
      try? rollback()
      throw error
    }
  }

  /// Writes one row by SQLite's own interface: a commit of some rows took a fifth longer through
  /// GRDB's arguments, which box each value and watch each statement.
  /// - Parameter sql: a statement that returns no row; prepared once.
  func writeRow(_ sql: String, _ values: [ColumnValue]) throws {
    try step(sql, values, until: SQLITE_DONE) { _ in }
  }

  /// The whole number in the first column of the first row.
  /// - Parameter sql: a statement that always returns a row; prepared once.
  func number(_ sql: String, _ values: [ColumnValue]) throws -> Int {
    try step(sql, values, until: SQLITE_ROW) { Int(sqlite3_column_int64($0, 0)) }
  }

  private func step<T>(
    _ sql: String, _ values: [ColumnValue], until expected: Int32,
    _ read: (OpaquePointer) -> T
  ) throws -> T {
    let statement = try cachedStatement(sql: sql).sqliteStatement
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    var code = SQLITE_OK
    for (offset, value) in values.enumerated() where code == SQLITE_OK {
      code = value.bind(to: statement, at: Int32(offset + 1))
    }
    if code == SQLITE_OK { code = sqlite3_step(statement) }
    guard code == expected else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code), message: lastErrorMessage, sql: sql)
    }
    return read(statement)
  }
}

extension ColumnValue {
  /// Tells SQLite to make a copy of the bytes.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
    switch self {
    case .integer(let number): return sqlite3_bind_int64(statement, index, number)
    case .null: return sqlite3_bind_null(statement, index)
    case .string(var text):
      return text.withUTF8 { utf8 in
        utf8.withMemoryRebound(to: CChar.self) {
          // A null pointer would be NULL, not the empty text.
          guard let start = $0.baseAddress else {
            return sqlite3_bind_text(statement, index, "", 0, Self.copied)
          }
          return sqlite3_bind_text(statement, index, start, Int32($0.count), Self.copied)
        }
      }
    case .utf8(let text):
      return text.withUnsafeBytes { bytes in
        sqlite3_bind_text(
          statement, index, bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
          Int32(bytes.count), Self.copied)
      }
    case .bytes(let bytes):
      guard !bytes.isEmpty else { return sqlite3_bind_zeroblob(statement, index, 0) }
      return sqlite3_bind_blob(statement, index, bytes, Int32(bytes.count), Self.copied)
    }
  }
}
