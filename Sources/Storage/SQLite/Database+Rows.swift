import AlertCore
import GRDB
import GRDBSQLite

/// SQLite's own interface: a commit of some rows took a fifth longer through GRDB's arguments,
/// which box each value and watch each statement.
extension Database: RowTarget {
  static let dialect = SQLDialect(
    facts: "CASE WHEN json_valid(facts) THEN facts END",
    like: "LIKE",
    eraseIncidents: """
      UPDATE incident SET body = json_remove(body, '$.question', '$.lastPosition')
      WHERE account = ?1 AND json_valid(body)
      """,
    eraseNotifications: """
      UPDATE notification SET body = json_remove(
        json_set(body, '$.contact', json_object(
          'id', body ->> '$.contact.id', 'name', body ->> '$.contact.id', 'address', '')),
        '$.position', '$.question', '$.lastError')
      WHERE account = ?1 AND json_valid(body) AND delivery IN ('delivered', 'withdrawn')
      """,
    eraseRefusals: """
      UPDATE log SET
        detail = replace(detail, facts ->> '$.reason', ?3),
        facts = json_set(facts, '$.reason', ?3)
      WHERE id BETWEEN ?1 AND ?2 AND json_valid(facts)
        AND facts ->> '$.type' IN ('message', 'slot') AND facts ->> '$.reason' <> ''
      """)

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

  func writeRow(_ sql: String, _ values: [ColumnValue]) throws {
    try stepping(sql, values) { statement in
      try expect(SQLITE_DONE, sqlite3_step(statement), sql)
    }
  }

  func each(
    _ sql: String, _ values: [ColumnValue], _ body: (StoredRow) throws -> Void
  ) throws {
    try stepping(sql, values) { statement in
      var code = sqlite3_step(statement)
      while code == SQLITE_ROW {
        let columns = 0..<sqlite3_column_count(statement)
        try body(StoredRow(values: columns.map { ColumnValue(of: statement, at: $0) }))
        code = sqlite3_step(statement)
      }
      try expect(SQLITE_DONE, code, sql)
    }
  }

  func newestID(in table: NumberedTable, of rows: AccountRows) throws -> Int64 {
    try aggregate(
      "SELECT IFNULL(MAX(id), ?1) FROM \(table.rawValue) WHERE id BETWEEN ?1 AND ?2",
      [.integer(rows.id(0)), .integer(rows.ids.upperBound)])
  }

  func storedEntries(of list: IncidentList, of incident: String, _ rows: AccountRows) throws -> Int
  {
    Int(
      try aggregate(
        """
        SELECT IFNULL(MAX(position) + 1, 0) FROM incident_list
        WHERE account = ? AND incident = ? AND list = ?
        """, [.number(rows.account.rawValue), .string(incident), .string(list.rawValue)]))
  }

  /// The table is asked.
  func hasEntries(
    _ count: Int, in list: IncidentList, of incident: String, _ rows: AccountRows
  ) {}

  func openingLog(_ body: () throws -> Void) throws {
    try execute(sql: "DROP TRIGGER log_keeps; DROP TRIGGER log_stays")
    try body()
    try execute(sql: Schema.logKeeps + Schema.logStays)
  }

  /// The whole number of a query that always has a row, at less cost than `each`.
  private func aggregate(_ sql: String, _ values: [ColumnValue]) throws -> Int64 {
    try stepping(sql, values) { statement in
      try expect(SQLITE_ROW, sqlite3_step(statement), sql)
      return sqlite3_column_int64(statement, 0)
    }
  }

  private func stepping<T>(
    _ sql: String, _ values: [ColumnValue], _ body: (OpaquePointer) throws -> T
  ) throws -> T {
    let statement = try cachedStatement(sql: sql).sqliteStatement
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (offset, value) in values.enumerated() {
      try expect(SQLITE_OK, value.bind(to: statement, at: Int32(offset + 1)), sql)
    }
    return try body(statement)
  }

  private func expect(_ expected: Int32, _ code: Int32, _ sql: String) throws {
    guard code == expected else {
      throw DatabaseError(
        resultCode: ResultCode(rawValue: code), message: lastErrorMessage, sql: sql)
    }
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

  /// A fraction, which no strict table keeps, is told apart from NULL by no reader.
  fileprivate init(of statement: OpaquePointer, at column: Int32) {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
    case SQLITE_TEXT:
      // The text first: only then the count is that of its UTF-8.
      let text = sqlite3_column_text(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      self = .string(
        String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      self = .bytes(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
    default: self = .null
    }
  }
}
