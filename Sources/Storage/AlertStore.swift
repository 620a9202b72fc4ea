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
/// is read back at the opening, because GRDB's own WAL set-up lowers it. Whoever reads does so on
/// connections of their own, from the snapshot that the log gives them: no read waits for a commit
/// and no commit for a read.
public final class AlertStore: Sendable {
  public let path: String
  let database: DatabasePool
  private let lock: StateLock
  /// Where tasks have their reads done.
  let pages = DispatchQueue(label: "log pages")

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
    configuration.maximumReaderCount = Self.readers
    do {
      // Made here with its mode: SQLite gives the log beside it the same.
      _ = try Syscall.open(path, O_RDWR | O_CREAT, mode: 0o600)
      database = try DatabasePool(path: path, configuration: configuration)
      try database.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA synchronous = FULL")
      }
      try Schema.prepare(database, path: path)
      LogSpace.reserve(beside: path)
    } catch {
      throw StorageFailure("open", path: path, error)
    }
    guard try synchronous() == 2 else {
      throw StorageFailure("open", path: path, reason: "it does not keep synchronous = FULL")
    }
  }

  /// Connections that read, each with some pages of its own in memory.
  private static let readers = 4

  /// SQLite's `synchronous` as it is in force for commits: 2 is FULL.
  public func synchronous() throws -> Int {
    do {
      return try database.writeWithoutTransaction { db in
        try Int.fetchOne(db, sql: "PRAGMA synchronous") ?? -1
      }
    } catch {
      throw StorageFailure("check", path: path, error)
    }
  }

  /// Makes one batch durable, or nothing of it.
  /// - Returns: the ids of the log's new lines, in their order: each is greater than any before it,
  ///   and none is ever used again. Nil where the batch has no line.
  @discardableResult
  public func commit(_ changes: Changes) throws -> ClosedRange<Int64>? {
    do {
      return try database.writeWithoutTransaction { db in
        try db.committing { try ChangeWriter(db).write(changes) }
      }
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
      try database.write { db in try ChangeWriter(db).write(account) }
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
      let reader = StateReader(db)
      return try String.fetchAll(db, sql: "SELECT body FROM incident ORDER BY opened_wall, id")
        .map { try reader.incident($0) }
    }
  }

  /// One line each: device, event, incident of every committed press, oldest first.
  public func presses() throws -> [StoredPress] {
    try reading("read events from") { db in try StateReader(db).presses() }
  }

  func reading<T>(_ operation: String, _ read: (Database) throws -> T) throws -> T {
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
