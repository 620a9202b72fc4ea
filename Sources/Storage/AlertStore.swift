public import AlertCore
public import FobBase
import Foundation
import GRDB
import Glibc
import SerialIO
import Synchronization
public import WireProtocol

/// The durable half of an account's core: event log, incidents and outbox on SQLite. All accounts
/// of a core are in one file of one state folder that one process owns.
///
/// A commit returns only when the write-ahead log is on the disk: `synchronous` is FULL, and is
/// read back at the opening, because GRDB's own WAL set-up lowers it. Readers have their own
/// connections and read a snapshot of the log: no read waits for a commit and no commit for a read.
public final class AlertStore: Sendable {
  /// Whose rows it reads and writes.
  public let number: AccountNumber
  /// What all accounts of the folder share.
  let opened: OpenStore

  var rows: AccountRows { AccountRows(account: number) }
  /// The database file, `fob.sqlite` in the state folder.
  public var path: String { opened.files.database }
  var files: StoreFiles { opened.files }
  /// The folder of the store, in which other files of this core stand, too.
  package var folder: String { files.directory }
  var database: DatabasePool { opened.database }
  /// The damage that this opening found and set aside; nil if everything was whole.
  public var found: DamageReport? { opened.found }
  var checkpointer: Checkpointer { opened.checkpointer }

  /// Opens the store in `directory`, and makes it where it is missing. Damaged files are set aside
  /// under their own names; the store goes on with the rows that can be read, and with those of the
  /// backup. It is the store of the first account.
  /// - Throws: `StorageFailure` naming the file and a hint; `IOFailure` if another process holds
  ///   the folder.
  public convenience init(directory: String) throws {
    try self.init(directory: directory, checkpoints: Checkpointer.Bounds())
  }

  init(directory: String, checkpoints bounds: Checkpointer.Bounds) throws {
    number = .first
    let files = StoreFiles(directory: directory)
    // Beyond a file size limit a write fails with an error, and the signal does not end the
    // process.
    signal(SIGXFSZ, SIG_IGN)
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw StorageFailure("make the state folder", path: directory, error)
    }
    let lock = try StateLock(directory: directory)
    do {
      let (database, found) = try Self.open(files)
      opened = OpenStore(
        files, database, found, lock, try Checkpointer(files.database, bounds))
      removeErased()
      LogSpace.reserve(beside: path)
      try database.writeWithoutTransaction { [checkpointer] db in try checkpointer.start(behind: db)
      }
    } catch {
      throw StorageFailure("open", path: files.database, error)
    }
    guard try synchronous() == 2 else {
      throw StorageFailure("open", path: path, reason: "it does not keep synchronous = FULL")
    }
  }

  private init(_ number: AccountNumber, of opened: OpenStore) {
    self.number = number
    self.opened = opened
  }

  /// The store of another account in the same file.
  public func store(of number: AccountNumber) -> AlertStore { AlertStore(number, of: opened) }

  /// SQLite's `synchronous` as it is in force for commits; 2 is FULL.
  public func synchronous() throws -> Int {
    do {
      return try database.writeWithoutTransaction { db in
        try Int.fetchOne(db, sql: "PRAGMA synchronous") ?? -1
      }
    } catch {
      throw StorageFailure("check", path: path, error)
    }
  }

  /// The stored account; nil before the owner has made one. Throws `StorageFailure`.
  public func account() throws -> Account? {
    try reading("read the account from") { db in try StateReader(db, number).owner() }
  }

  /// Makes the account durable by itself, outside of any batch. Throws `StorageFailure`.
  public func setAccount(_ account: Account) throws {
    try writing("write the account to") { db in try ChangeWriter(db, number).write(account) }
  }

  /// Reads the state that a core starts from, with damage that nobody has seen to.
  public func load() throws -> StoredState {
    var state = try reading("read") { db in try StateReader(db, number).read() }
    state.damage = try damage()
    return state
  }

  /// The events that other accounts of the folder have of a keychain, oldest first; as many as it
  /// keeps, and more. Throws `StorageFailure`.
  public func heardByOthers(from device: DeviceID) throws -> [EventIdentity] {
    try reading("read events from") { db in
      try StateReader(db, number).identitiesOfOthers(from: device)
    }
  }

  /// All incidents, oldest first.
  public func incidents() throws -> [Incident] {
    try reading("read incidents from") { db in
      let reader = StateReader(db, number)
      return try String.fetchAll(
        db, sql: "SELECT body FROM incident WHERE account = ? ORDER BY opened_wall, id",
        arguments: [number.rawValue]
      ).map { try reader.incident($0) }
    }
  }

  /// All committed presses, oldest first.
  public func presses() throws -> [StoredPress] {
    try reading("read events from") { db in try StateReader(db, number).presses() }
  }

  func writing(_ operation: String, _ write: (Database) throws -> Void) throws {
    do {
      try database.write(write)
    } catch {
      throw StorageFailure(operation, path: path, error)
    }
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

/// What the accounts of one state folder share: the open database, its lock and the thread that
/// makes checkpoints.
final class OpenStore: Sendable {
  let files: StoreFiles
  let database: DatabasePool
  let found: DamageReport?
  private let lock: StateLock
  let checkpointer: Checkpointer
  /// How often what is left of an erased account has been removed. Held while that goes on, and
  /// while a backup gets its name.
  let erasures = Mutex(0)
  /// Runs the reads of `page`, one after the other.
  let pages = DispatchQueue(label: "log pages")

  init(
    _ files: StoreFiles, _ database: DatabasePool, _ found: DamageReport?,
    _ lock: consuming StateLock,
    _ checkpointer: Checkpointer
  ) {
    self.files = files
    self.database = database
    self.found = found
    self.lock = lock
    self.checkpointer = checkpointer
  }

  deinit { checkpointer.stop() }
}

/// A committed press, as tests and `fob` list it.
public struct StoredPress: Codable, Equatable, Sendable {
  /// The device's id, 16 hexadecimal digits.
  public let device: String
  /// The event's number, as in "boot.n".
  public let event: String
  /// The incident that the press joined; nil if it joined none.
  public let incident: String?
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

/// One part of a list that may be long, and where the next part begins.
public struct StoredPage<Row: Sendable>: Sendable {
  /// The rows of this part.
  public let rows: [Row]
  /// Pass it as `after` for the next part; nil if this was the last.
  public let next: Int64?

  /// A part as its reader has cut it.
  public init(rows: [Row], next: Int64?) {
    self.rows = rows
    self.next = next
  }
}

/// The lists of the store in parts, oldest first.
extension AlertStore {
  /// One part of the committed presses, oldest first.
  /// - Parameters:
  ///   - after: `next` of the part before; 0 for the first.
  ///   - limit: rows, at least one.
  public func presses(after: Int64, limit: Int) throws -> StoredPage<StoredPress> {
    try reading("read events from") { db in
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT id, device, number, incident FROM event
          WHERE kind = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?
          """,
        arguments: [
          EventKind.pressed.rawValue, self.rows.id(after), self.rows.ids.upperBound, limit + 1,
        ])
      let presses = rows.prefix(limit).map { row in
        StoredPress(
          device: DeviceID(rawValue: UInt64(bitPattern: row["device"])).text,
          event: EventNumber(rawValue: UInt64(bitPattern: row["number"])).text,
          incident: row["incident"])
      }
      guard rows.count > limit else { return StoredPage(rows: presses, next: nil) }
      let last: Int64 = rows[limit - 1]["id"]
      return StoredPage(rows: presses, next: AccountRows.number(of: last))
    }
  }

  /// One part of the incidents, the first opened first.
  /// - Parameters:
  ///   - after: `next` of the part before, which counts the incidents before this part; 0 for the
  ///     first.
  ///   - limit: rows, at least one.
  public func incidents(after: Int64, limit: Int) throws -> StoredPage<Incident> {
    try reading("read incidents from") { db in
      let reader = StateReader(db, number)
      let rows = try String.fetchAll(
        db,
        sql: """
          SELECT body FROM incident WHERE account = ? ORDER BY opened_wall, id LIMIT ? OFFSET ?
          """, arguments: [number.rawValue, limit + 1, after])
      return StoredPage(
        rows: try rows.prefix(limit).map { try reader.incident($0) },
        next: rows.count > limit ? after + Int64(limit) : nil)
    }
  }
}

/// Opens a store that may be damaged, and reports damage.
extension AlertStore {
  static func open(_ files: StoreFiles) throws -> (DatabasePool, DamageReport?) {
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

  /// Damage that this opening or an earlier one found and that a person has to look at; nil once
  /// its note has been removed.
  public func damage() throws -> RecordsDamage? {
    let reports = DamageReport.all(in: files)
    guard var damage = RecordsDamage(reports, of: number), let wall = reports.last?.wall else {
      return nil
    }
    // An alarm that was opened later shows who is in need: the older doubt is over.
    let opened = try reading("read incidents from") { db in
      try Int64.fetchOne(
        db, sql: "SELECT MAX(opened_wall) FROM incident WHERE account = ?",
        arguments: [number.rawValue]) ?? .min
    }
    if opened > wall { damage.isAlarmInDoubt = false }
    return damage
  }

  /// Leaves a note if a failure shows damage: the next opening then checks every page.
  func suspect(_ failure: StorageFailure) {
    guard failure.isDamage, (try? StoreFiles.exists(files.suspect)) == false else { return }
    try? files.write("\(failure)\n", to: files.suspect)
  }
}
