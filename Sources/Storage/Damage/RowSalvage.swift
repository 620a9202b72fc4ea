import FobBase
import GRDB
import SerialIO

/// Reads all it can of one table whose pages are damaged in part. It halves a range of keys that
/// gives an error, down to single rows.
struct RowSalvage {
  private let db: Database
  private let table: StateTable
  /// How many more reads may fail before the rest of the table is given up.
  private var attempts = 20_000
  private let latest: Instant
  /// Something of the table could not be read.
  private(set) var hasHoles = false
  private let columns: String
  /// The columns of the key that this database has, and how many it lacks at the beginning.
  private let order: [String]
  private let take: ([DatabaseValue]) throws -> Void

  /// - Returns: nil if there is no such table.
  init?(
    _ table: StateTable, of db: Database, until latest: Instant,
    _ take: @escaping ([DatabaseValue]) throws -> Void
  ) {
    guard
      let known = try? String.fetchSet(
        db, sql: "SELECT name FROM pragma_table_info(?)", arguments: [table.name]),
      !known.isEmpty
    else { return nil }
    self.db = db
    self.table = table
    self.latest = latest
    self.take = take
    // An older schema has fewer columns.
    columns = table.columns.map { known.contains($0.name) ? $0.name : "\($0.absent)" }
      .joined(separator: ", ")
    order = table.columns.prefix(table.keyLength).map(\.name).filter { known.contains($0) }
  }

  private var key: String { table.columns[0].name }

  // MARK: Tables with numbered rows

  mutating func readNumbered() throws { try read(from: .min, to: .max) }

  private mutating func read(from first: Int64, to last: Int64) throws {
    var first = first
    let isDone = try rows("WHERE \(key) BETWEEN ? AND ? ORDER BY \(key)", [first, last]) { row in
      if let id = Int64.fromDatabaseValue(row[0]), id < last { first = id + 1 }
    }
    if isDone { return }
    hasHoles = true
    guard first < last, attempts > 0, BootClock.now() < latest else { return }
    attempts -= 1
    let middle = first &+ Int64(bitPattern: UInt64(bitPattern: last &- first) / 2)
    // The newest rows come first, in case time runs out.
    try read(from: middle + 1, to: last)
    try read(from: first, to: middle)
  }

  // MARK: Tables with named rows

  /// Reads from both ends up to the damage, then each known key.
  /// - Parameters:
  ///   - keys: of each the first columns, at least two where the first is the account.
  ///   - indexes: queries of such keys; one that this database cannot answer gives none.
  mutating func readNamed(_ keys: [[String]], indexes: [String]) throws {
    var seen: Set<String> = []
    let keyLength = table.keyLength
    func name(_ row: [DatabaseValue]) -> String {
      row.prefix(keyLength).map { "\($0)" }.joined(separator: "/")
    }
    let note: ([DatabaseValue]) -> Void = { seen.insert(name($0)) }
    if try rows("ORDER BY \(order.joined(separator: ", "))", [], seen: note) { return }
    hasHoles = true
    let back = order.map { "\($0) DESC" }.joined(separator: ", ")
    _ = try rows("ORDER BY \(back)", [], unless: { seen.contains(name($0)) }, seen: note)
    let lacking = keyLength - order.count
    for known in Set((keys + indexed(indexes)).map { Array($0.dropFirst(lacking)) }).sorted(by: {
      $0.lexicographicallyPrecedes($1)
    }) {
      guard attempts > 0, BootClock.now() < latest else { return }
      attempts -= 1
      let rule = order.prefix(known.count).map { "\($0) = ?" }.joined(separator: " AND ")
      _ = try rows(
        "WHERE \(rule)", StatementArguments(known), unless: { seen.contains(name($0)) },
        seen: note)
    }
  }

  /// The keys that an index still has, from both ends: an index has its own pages.
  private func indexed(_ queries: [String]) -> [[String]] {
    var keys: [[String]] = []
    for query in queries {
      for order in ["ASC", "DESC"] {
        guard let cursor = try? Row.fetchCursor(db, sql: "\(query) \(order)") else { continue }
        while let row = try? cursor.next() {
          keys.append(row.databaseValues.map { "\($0.storage.value ?? "")" })
        }
      }
    }
    return keys
  }

  // MARK: Reading

  /// - Returns: whether all rows could be read; rows before an error have been taken.
  /// - Throws: what `take` throws.
  private func rows(
    _ rule: String, _ arguments: StatementArguments,
    unless isKnown: ([DatabaseValue]) -> Bool = { _ in false }, seen: ([DatabaseValue]) -> Void
  ) throws -> Bool {
    let width = table.columns.count
    let hint = table.isNumbered ? "NOT INDEXED " : ""
    do {
      let cursor = try Self.read {
        try Row.fetchCursor(
          db, sql: "SELECT \(columns) FROM \(table.name) \(hint)\(rule)", arguments: arguments)
      }
      while let row = try Self.read({ try cursor.next() }) {
        let values = (0..<width).map { row[$0] as DatabaseValue }
        defer { seen(values) }
        if !isKnown(values) { try take(values) }
      }
      return true
    } catch is Unreadable {
      return false
    }
  }

  private struct Unreadable: Error {}

  private static func read<T>(_ body: () throws -> T) throws -> T {
    do { return try body() } catch { throw Unreadable() }
  }
}
