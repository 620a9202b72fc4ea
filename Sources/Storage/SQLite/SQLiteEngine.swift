import AlertCore
import FobBase
import Foundation
import GRDB
import Glibc
import SerialIO
import Synchronization

/// Rows in one file of the state folder: the open database, its lock and the thread that makes
/// checkpoints.
///
/// A commit returns only when the write-ahead log is on the disk: `synchronous` is FULL, and is
/// read back at the opening, because GRDB's own WAL set-up lowers it. Readers have their own
/// connections and read a snapshot of the log.
final class SQLiteEngine: StoreEngine {
  let files: StoreFiles
  let database: DatabasePool
  let found: DamageReport?
  let isNew: Bool
  private let lock: StateLock
  let checkpointer: Checkpointer
  /// How often what is left of an erased account has been removed. Held while that goes on, and
  /// while a backup gets its name.
  let erasures = Mutex(0)
  let pages = DispatchQueue(label: "log pages")

  var path: String { files.database }

  /// As `AlertStore.init`.
  init(
    _ files: StoreFiles, checkpoints bounds: Checkpointer.Bounds = Checkpointer.Bounds()
  ) throws {
    self.files = files
    // Beyond a file size limit a write fails with an error, and the signal does not end the
    // process.
    signal(SIGXFSZ, SIG_IGN)
    try files.makeFolder()
    lock = try StateLock(directory: files.directory)
    try files.assureRows(areAt: nil)
    do {
      let wasThere = try StoreFiles.exists(files.database)
      (database, found) = try Self.open(files)
      isNew = !wasThere && found == nil
      checkpointer = try Checkpointer(files.database, bounds)
    } catch {
      throw StorageFailure("open", path: files.database, error)
    }
    removeErased()
    LogSpace.reserve(beside: path)
    do {
      try database.writeWithoutTransaction { [checkpointer] db in try checkpointer.start(behind: db)
      }
    } catch {
      throw StorageFailure("open", path: files.database, error)
    }
    guard try synchronous() == 2 else {
      throw StorageFailure("open", path: path, reason: "it does not keep synchronous = FULL")
    }
  }

  deinit { checkpointer.stop() }

  /// SQLite's `synchronous` as it is in force for commits; 2 is FULL.
  func synchronous() throws -> Int {
    do {
      return try database.writeWithoutTransaction { db in
        try Int.fetchOne(db, sql: "PRAGMA synchronous") ?? -1
      }
    } catch {
      throw StorageFailure("check", path: path, error)
    }
  }

  func commit(_ batches: [AlertStore.Batch]) -> [AlertStore.Committed] {
    do {
      return try database.writeWithoutTransaction { db in
        try db.committing {
          try batches.map { .success(try ChangeWriter(db, $0.store.number).write($0.changes)) }
        }
      }
    } catch {
      let parts = AlertStore.Batch.inseparable(batches)
      guard parts.count == 1 else { return parts.flatMap { commit($0) } }
      let failure = failure("commit to", error)
      return batches.map { _ in .failure(failure) }
    }
  }

  func read<T>(_ body: (any RowSource) throws -> T) throws -> T { try database.read(body) }

  func write(_ body: (any RowTarget) throws -> Void) throws { try database.write(body) }

  /// Leaves a note if it shows damage: the next opening then checks every page.
  func failure(_ operation: String, _ error: any Error) -> StorageFailure {
    let failure = StorageFailure(operation, path: path, error)
    if failure.isDamage, (try? StoreFiles.exists(files.suspect)) == false {
      try? files.write("\(failure)\n", to: files.suspect)
    }
    return failure
  }

  func backUp(within patience: Interval) -> StateBackup.Outcome {
    // A copy has the pages that are not used any more, too.
    if let left = removeErased() { return .erasureOwed(left) }
    let begun = erasures.withLock { $0 }
    return StateBackup(files).make(within: patience) { name in
      try erasures.withLock { count in
        guard count == begun else { return false }
        try name()
        return true
      }
    }
  }

  var hasBackup: Bool? { (try? StoreFiles.exists(files.backup)) ?? false }

  var awaitsServer: Bool { false }
  var serverTrouble: String? { nil }

  var isLeading: Bool { true }

  func release() {}

  /// Takes what is left out of unused pages, SQLite's log, the backup and the files that were set
  /// aside as damaged.
  @discardableResult
  func removeErased() -> String? {
    erasures.withLock { count in
      do {
        let isOwed = try database.read { db in
          try Bool.fetchOne(db, sql: "SELECT 1 FROM setting WHERE name = 'erasing'") ?? false
        }
        guard isOwed else { return nil }
        // A backup that was begun before does not get its name.
        count += 1
        for path in files.copies { files.remove(path) }
        truncate(files.mails, 0)
        try checkpointer.pausing {
          try database.writeWithoutTransaction { db in
            // A press waits behind this, so another program's reading is not waited for.
            try db.execute(sql: "PRAGMA busy_timeout = 100")
            defer { try? db.execute(sql: "PRAGMA busy_timeout = 0") }
            try db.execute(sql: "VACUUM")
            try db.checkpoint(.truncate)
            try db.execute(sql: "DELETE FROM setting WHERE name = 'erasing'")
          }
        }
        LogSpace.reserve(beside: path)
        return nil
      } catch {
        return "\(StorageFailure("remove what was erased from", path: path, error))"
      }
    }
  }
}

/// Opens a database that may be damaged.
extension SQLiteEngine {
  private static func open(_ files: StoreFiles) throws -> (DatabasePool, DamageReport?) {
    try files.settle()
    let opening = StoreOpening(files: files)
    var report: DamageReport?
    let atRest: [String]
    do {
      atRest = try opening.damageAtRest()
    } catch let failure as IOFailure {
      atRest = [try files.damage(by: failure)]
    }
    if !atRest.isEmpty {
      try files.assureReadable()
      var salvage = Salvage(files, atRest)
      report = try salvage.run(losesAll: true)
    }
    try opening.makeWhereMissing()
    let database: DatabasePool
    do {
      database = try opening.open()
    } catch is DamageFound where report == nil {
      try files.assureReadable()
      // A single failed read looks like damage, too, so a second one decides.
      do {
        database = try opening.open()
      } catch let damage as DamageFound {
        var salvage = Salvage(files, damage.clauses)
        report = try salvage.run(losesAll: false)
        database = try opening.open()
      }
    }
    unlink(files.suspect)
    unlink(files.unreadable)
    if try !StoreFiles.exists(files.made) {
      try files.write(
        "fob keeps its state in fob.sqlite, and misses it where it is gone.\n", to: files.made)
    }
    return (database, report)
  }
}

/// Space for SQLite's write-ahead log, made before it is needed.
///
/// A commit that overwrites the log waits for its pages alone. A commit that makes the log grow
/// waits for the file system's metadata, too, two fifths of its time (measured on ext4 without a
/// journal), until the log has been filled once.
enum LogSpace {
  /// From 600 pages on a checkpoint is made (`Checkpointer.Bounds`). This holds them, each with a
  /// header, and the pages of the commits that come meanwhile.
  private static let bytes: UInt64 = 4_500_000
  private static let chunk = 500_000

  /// Appends zeros to the log beside the database at `path`. A frame of zeros is no frame to
  /// SQLite. If the disk has no room for all of it, the space is given back, since messages and
  /// others need it, too; the log then grows as usual.
  static func reserve(beside path: String) {
    guard let log = FileHandle(forWritingAtPath: path + "-wal") else { return }
    defer { try? log.close() }
    guard let end = try? log.seekToEnd(), end < bytes else { return }
    do {
      let zeros = Data(count: chunk)
      for _ in 0...(bytes - end) / UInt64(chunk) { try log.write(contentsOf: zeros) }
      try log.synchronize()
    } catch {
      try? log.truncate(atOffset: end)
    }
  }
}
