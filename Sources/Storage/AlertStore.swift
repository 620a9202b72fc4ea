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
  let files: StoreFiles
  let database: DatabasePool
  /// What this opening found damaged and has set aside; nil where all was whole.
  public let found: DamageReport?
  private let lock: StateLock
  /// Where tasks have their reads done.
  let pages = DispatchQueue(label: "log pages")

  /// Opens, and makes where it is missing, the store in `directory`. What is damaged is set aside
  /// under a name of its own, and what of it can be read goes on, with what the backup has.
  /// - Throws: `StorageFailure` naming the file and a hint; `IOFailure` where another process
  ///   holds the folder.
  public init(directory: String) throws {
    files = StoreFiles(directory: directory)
    path = files.database
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
    do {
      (database, found) = try Self.open(files)
      LogSpace.reserve(beside: path)
    } catch {
      throw StorageFailure("open", path: path, error)
    }
    guard try synchronous() == 2 else {
      throw StorageFailure("open", path: path, reason: "it does not keep synchronous = FULL")
    }
  }

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
      let failure = StorageFailure("commit to", path: path, error)
      suspect(failure)
      throw failure
    }
  }

  public func account() throws -> Account? {
    try reading("read the account from") { db in try StateReader(db).account() }
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
    var state = try reading("read") { db in try StateReader(db).read() }
    state.damage = try damage()
    return state
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
      let failure = StorageFailure(operation, path: path, error)
      suspect(failure)
      throw failure
    }
  }
}

public struct StoredPress: Codable, Equatable, Sendable {
  public let device: String
  /// "boot.n"
  public let event: String
  public let incident: String?
}
