import AlertCore
import FobBase
import Foundation
import GRDB
import GRDBSQLite
import SerialIO

/// Damage that an opening found, one clause each: the database must not be used as it is.
struct DamageFound: Error {
  var clauses: [String]
}

/// Opens the database of a folder, makes it if there was none, and checks whether it is whole.
struct StoreOpening {
  let files: StoreFiles
  /// Connections for readers; each keeps some pages in memory.
  private static let readers = 4
  /// Seconds that a normal start may check pages, since a press waits for it. Later damage is found
  /// by the check of the next backup, or when it is read.
  private static let quickLook = 0.3
  /// Seconds that a start may check pages after damage was met.
  private static let longLook = 60.0
  /// How many of the newest incidents a start reads; the others are read on demand.
  private static let incidents = 64
  /// Bytes. A press changes a row or two in each of a dozen pages, and each of them is written
  /// whole: with SQLite's 4,096 a commit writes three times as much.
  static let pageSize = 1_024

  /// Damage that shows before SQLite opens the files; opening them removes the signs.
  func damageAtRest() throws -> [String] {
    let log = try StoreFiles.size(of: files.log) ?? 0
    switch try StoreFiles.size(of: files.database) {
    case nil:
      let names = files.names
      let wasHere =
        try log > 0 || [files.made, files.backup].contains { try StoreFiles.exists($0) }
        || names.contains { $0.hasPrefix(StoreFiles.damaged) && !$0.hasSuffix(".json") }
      return wasHere ? ["fob.sqlite was not there"] : []
    case 0: return ["fob.sqlite was empty"]
    default: return try WriteAheadLog(files).loss.map { [$0] } ?? []
    }
  }

  /// Makes a database with all tables and no rows; it gets its name only when it is complete.
  func makeWhereMissing() throws {
    guard try !StoreFiles.exists(files.database) else { return }
    try Self.make(files.part)
    try files.flush(files.part)
    try files.rename(files.part, to: files.database)
    try files.flush()
  }

  static func make(_ path: String) throws {
    // The mode is set here: SQLite gives the log the same mode as the database.
    _ = try Syscall.open(path, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    let database = try building(path)
    try Schema.prepare(database, path: path)
    try database.close()
  }

  /// Opens a file that has no value until it is complete: nothing of it is made durable.
  static func building(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.prepareDatabase { db in
      try db.execute(
        sql: """
          PRAGMA page_size = \(pageSize); PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF
          """)
    }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// - Throws: `DamageFound`; `StorageFailure` if a newer version has written it; GRDB's error if
  ///   it cannot be opened.
  func open() throws -> DatabasePool {
    var configuration = Configuration()
    configuration.maximumReaderCount = Self.readers
    do {
      let database = try DatabasePool(path: files.database, configuration: configuration)
      try database.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA synchronous = FULL")
      }
      try database.read { try lookAtPages($0) }
      try Schema.prepare(database, path: files.database)
      let latest = BootClock.now() + .milliseconds(Int64(Self.quickLook * 1_000))
      try database.read { try Self.lookAtRows($0, until: latest) }
      return database
    } catch let error where Self.isDamage(error) {
      throw DamageFound(clauses: ["fob.sqlite: \(Self.clause(error))"])
    }
  }

  static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case let error as DatabaseError:
      [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH, .SQLITE_ERROR, .SQLITE_CONSTRAINT]
        .contains(error.resultCode)
    case is DecodingError, is RowDecodingError, is StoredRow.Mismatch, is CheckInRow.Mismatch,
      is EventCutOff:
      true
    default: false
    }
  }

  static func clause(_ error: any Error) -> String {
    switch error {
    case let error as DatabaseError: error.message ?? "\(error.resultCode)"
    case let error as DecodingError: "a row cannot be read: \(RowCheck.words(error))"
    case let error as CheckInRow.Mismatch: "a row of check-ins cannot be used: \(error.reason)"
    default: "a row cannot be read: \(error)"
    }
  }

  // MARK: Pages

  private func lookAtPages(_ db: Database) throws {
    let tables = try String.fetchSet(db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
    guard tables.isEmpty || tables.contains("grdb_migrations") else {
      throw DamageFound(clauses: ["fob.sqlite is another program's database"])
    }
    let isSuspect = try StoreFiles.exists(files.suspect)
    let faults = try Self.faults(db, within: isSuspect ? Self.longLook : Self.quickLook)
    guard faults.isEmpty else { throw DamageFound(clauses: faults.map { "fob.sqlite: \($0)" }) }
    if try Schema.isGarbled(db) {
      throw DamageFound(clauses: ["fob.sqlite: the names of its migrations cannot be read"])
    }
  }

  /// SQLite's integrity check; empty if it did not end in time.
  static func faults(_ db: Database, within seconds: Double) throws -> [String] {
    let latest = Latest(BootClock.now() + .milliseconds(Int64(seconds * 1_000)))
    return try withExtendedLifetime(latest) {
      let pointer = Unmanaged.passUnretained(latest).toOpaque()
      let isLate: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { pointer in
        let latest = Unmanaged<Latest>.fromOpaque(pointer!).takeUnretainedValue()
        return BootClock.now() > latest.instant ? 1 : 0
      }
      sqlite3_progress_handler(db.sqliteConnection, 1_000, isLate, pointer)
      defer { sqlite3_progress_handler(db.sqliteConnection, 0, nil, nil) }
      do {
        let lines = try String.fetchAll(db, sql: "PRAGMA integrity_check(8)")
        return lines == ["ok"] ? [] : lines.flatMap { $0.split(separator: "\n").map(String.init) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_INTERRUPT {
        return []
      }
    }
  }

  private final class Latest {
    let instant: Instant
    init(_ instant: Instant) { self.instant = instant }
  }

  // MARK: Rows

  /// Reads the rows that cores start from, and the newest incidents of each account.
  /// - Parameter latest: no further account is begun then.
  static func lookAtRows(_ db: Database, until latest: Instant) throws {
    let accounts = try Int.fetchAll(db, sql: "SELECT 1 UNION SELECT id FROM account")
    for account in accounts.compactMap({ AccountNumber($0) }) {
      try lookAtRows(of: account, db)
      if BootClock.now() > latest { break }
    }
    for table in NumberedTable.allCases.map(\.rawValue) {
      let last = try Int64.fetchOne(db, sql: "SELECT MAX(id) FROM \(table)") ?? 0
      guard last <= AccountRows.lastID else {
        throw DamageFound(clauses: ["fob.sqlite: table \(table) has a row numbered \(last)"])
      }
    }
  }

  private static func lookAtRows(of account: AccountNumber, _ db: Database) throws {
    let reader = StateReader(db, account)
    _ = try reader.owner()
    _ = try reader.read()
    let bodies = try String.fetchAll(
      db,
      sql: """
        SELECT body FROM incident WHERE account = ? ORDER BY opened_wall DESC, id DESC LIMIT ?
        """, arguments: [account.rawValue, incidents])
    for body in bodies { _ = try reader.incident(body) }
  }
}
