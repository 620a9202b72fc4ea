/// A value of a column.
enum ColumnValue: Equatable, Sendable {
  case integer(Int64), string(String), utf8([UInt8]), bytes([UInt8]), null

  static func text(_ text: String?) -> Self { text.map { .string($0) } ?? .null }
  static func number(_ number: (some BinaryInteger)?) -> Self {
    number.map { .integer(Int64(truncatingIfNeeded: $0)) } ?? .null
  }
}

/// A row that was read: no text of it is `utf8`.
struct StoredRow {
  let values: [ColumnValue]

  /// A column is not of the kind that it was made with: damage.
  struct Mismatch: Error, CustomStringConvertible {
    let column: Int
    var description: String { "column \(column + 1) is not of its kind" }
  }

  func text(_ column: Int) throws(Mismatch) -> String {
    guard case .string(let text) = values[column] else { throw Mismatch(column: column) }
    return text
  }

  func number(_ column: Int) throws(Mismatch) -> Int64 {
    guard case .integer(let number) = values[column] else { throw Mismatch(column: column) }
    return number
  }

  func bytes(_ column: Int) throws(Mismatch) -> [UInt8] {
    guard case .bytes(let bytes) = values[column] else { throw Mismatch(column: column) }
    return bytes
  }

  /// - Returns: nil for NULL, and for what is no text.
  func maybeText(_ column: Int) -> String? { try? text(column) }
  /// - Returns: nil for NULL, and for what is no number.
  func maybeNumber(_ column: Int) -> Int64? { try? number(column) }
}

/// Where rows are read: one moment of one engine.
protocol RowSource {
  static var dialect: SQLDialect { get }

  /// Calls `body` with each row, in the query's order.
  /// - Parameters:
  ///   - sql: prepared once. Its parameters are `?`, or `?1` for the first.
  ///   - values: of the parameters.
  func each(
    _ sql: String, _ values: [ColumnValue], _ body: (StoredRow) throws -> Void) throws
}

extension RowSource {
  var dialect: SQLDialect { Self.dialect }

  func rows(_ sql: String, _ values: [ColumnValue] = []) throws -> [StoredRow] {
    var rows: [StoredRow] = []
    try each(sql, values) { rows.append($0) }
    return rows
  }

  /// The first column of each row.
  func texts(_ sql: String, _ values: [ColumnValue]) throws -> [String] {
    try rows(sql, values).map { try $0.text(0) }
  }

  /// The first column of the first row; nil where there is no row, or NULL in it.
  func number(_ sql: String, _ values: [ColumnValue] = []) throws -> Int64? {
    guard let row = try rows(sql, values).first, row.values[0] != .null else { return nil }
    return try row.number(0)
  }
}

/// Where rows are written: one transaction of one engine.
protocol RowTarget: RowSource {
  /// - Parameters:
  ///   - sql: a statement that returns no row, as of `each`.
  ///   - values: of the parameters.
  func writeRow(_ sql: String, _ values: [ColumnValue]) throws

  /// The greatest id of the account's rows; `rows.id(0)` where there are none.
  func newestID(in table: NumberedTable, of rows: AccountRows) throws -> Int64

  /// How many entries of a list of an incident need not be written again, as far as it is known;
  /// negative or too great where damage has changed them.
  func storedEntries(of list: IncidentList, of incident: String, _ rows: AccountRows) throws -> Int

  /// A list has so many entries with this transaction.
  func hasEntries(
    _ count: Int, in list: IncidentList, of incident: String, _ rows: AccountRows)

  /// Lets rows of the log be changed and removed meanwhile.
  func openingLog(_ body: () throws -> Void) throws
}

/// Where the engines' SQL differs.
struct SQLDialect: Sendable {
  /// The facts of a log entry, NULL where damage has made them unreadable: they are passed on
  /// unparsed, and would make the whole answer invalid.
  let facts: String
  /// Compares with a pattern, whatever the case of a to z.
  let like: String
  /// Erases what an owner entered from the bodies of incidents, and of messages that are over.
  /// ?1: the account.
  let eraseIncidents: String
  let eraseNotifications: String
  /// Replaces what servers have refused. ?1 and ?2: the first and the last id; ?3: the words.
  let eraseRefusals: String
}
