public import AlertCore
import FobBase
import Foundation
import GRDB
import SerialIO
import WireProtocol

/// The durable half of the core: event log, incidents and outbox on SQLite, in one file of one
/// state folder that one process owns.
///
/// A commit has returned only when the write-ahead log is on the disk: `synchronous` is FULL, and
/// is read back at the opening, because GRDB's own WAL set-up would lower it.
public final class AlertStore: Sendable {
  public let path: String
  private let database: DatabaseQueue
  private let lock: StateLock

  /// Opens, and makes where it is missing, the store in `directory`.
  /// - Throws: `StorageFailure` naming the file and the way out; `IOFailure` where another process
  ///   holds the folder.
  public init(directory: String) throws {
    path = directory + "/fob.sqlite"
    // A file that may not grow is an error to report, not a reason to die.
    signal(SIGXFSZ, SIG_IGN)
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw StorageFailure("make the state folder", path: directory, error)
    }
    lock = try StateLock(directory: directory)
    var configuration = Configuration()
    configuration.journalMode = .default
    configuration.prepareDatabase { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      try db.execute(sql: "PRAGMA synchronous = FULL")
    }
    do {
      // Made here with its mode: SQLite gives the log beside it the same.
      _ = try Syscall.open(path, O_RDWR | O_CREAT, mode: 0o600)
      database = try DatabaseQueue(path: path, configuration: configuration)
      try Schema.prepare(database, path: path)
    } catch {
      throw StorageFailure("open", path: path, error)
    }
    guard try synchronous() == 2 else {
      throw StorageFailure("open", path: path, reason: "it does not keep synchronous = FULL")
    }
  }

  /// SQLite's `synchronous` as it is in force: 2 is FULL.
  public func synchronous() throws -> Int {
    try reading("check") { db in try Int.fetchOne(db, sql: "PRAGMA synchronous") ?? -1 }
  }

  /// Makes one batch durable, or nothing of it.
  public func commit(_ changes: Changes) throws {
    do {
      try database.write { db in try ChangeWriter(db).write(changes) }
    } catch {
      throw StorageFailure("commit to", path: path, error)
    }
  }

  public func account() throws -> Account? {
    try reading("read the account from") { db in
      try String.fetchOne(db, sql: "SELECT body FROM account").map { try JSON.decode($0) }
    }
  }

  public func setAccount(_ account: Account) throws {
    do {
      try database.write { db in
        try db.execute(
          sql: "INSERT OR REPLACE INTO account (id, body) VALUES (1, ?)",
          arguments: [try JSON.encode(account)])
      }
    } catch {
      throw StorageFailure("write the account to", path: path, error)
    }
  }

  /// What an earlier run left.
  public func load() throws -> StoredState {
    try reading("read") { db in try StateReader(db).read() }
  }

  /// Rows that tests and `fob` count: committed presses and incidents, oldest first.
  public func incidents() throws -> [Incident] {
    try reading("read incidents from") { db in
      try String.fetchAll(db, sql: "SELECT body FROM incident ORDER BY opened_wall, id")
        .map { try JSON.decode($0) }
    }
  }

  /// One line each: device, event, incident of every committed press, oldest first.
  public func presses() throws -> [StoredPress] {
    try reading("read events from") { db in try StateReader(db).presses() }
  }

  private func reading<T>(_ operation: String, _ read: (Database) throws -> T) throws -> T {
    do {
      return try database.read(read)
    } catch {
      throw StorageFailure(operation, path: path, error)
    }
  }
}

public struct StoredPress: Codable, Equatable, Sendable {
  public let device: String
  /// "boot.n"
  public let event: String
  public let incident: String?
}
