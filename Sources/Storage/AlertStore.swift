public import AlertCore
public import FobBase
public import WireProtocol

/// The durable half of an account's core: event log, incidents and outbox. All accounts of a core
/// are in one store, which one process owns: a file of SQLite's in the state folder, or a database
/// of a PostgreSQL server (`StoreEngine`).
///
/// A commit returns only when it is durable. No read waits for a commit and no commit for a read.
public final class AlertStore: Sendable {
  /// Whose rows it reads and writes.
  public let number: AccountNumber
  /// What all accounts of the store share.
  let engine: any StoreEngine
  let files: StoreFiles

  var rows: AccountRows { AccountRows(account: number) }
  /// The account as a column has it.
  var whose: ColumnValue { .number(number.rawValue) }
  /// Where the rows are: the database file, `fob.sqlite` in the state folder, or the server.
  public var path: String { engine.path }
  /// The state folder, in which other files of this core stand, too.
  package var folder: String { files.directory }
  /// The damage that this opening found and set aside; nil if everything was whole.
  public var found: DamageReport? { engine.found }

  /// A commit waits for the server now, which may take half a minute: nothing here hangs.
  public var awaitsServer: Bool { engine.awaitsServer }
  /// Why the server that has the rows would make nothing durable, as it was a few seconds ago, in
  /// words that do not say where it is; nil: it would, or there is none.
  public var serverTrouble: String? { engine.serverTrouble }

  /// No other core can have taken the store over. False where that was not proved in the last
  /// three seconds.
  public var isLeading: Bool { engine.isLeading }
  /// Lets a core that stands by take the store at once, after the last commit. Blocks.
  public func release() { engine.release() }

  /// Opens SQLite's store in `directory`, and makes it where it is missing. Damaged files are set
  /// aside under their own names; the store goes on with the rows that can be read, and with those
  /// of the backup. It is the store of the first account.
  /// - Throws: `StorageFailure` naming the file and a hint; `IOFailure` if another process holds
  ///   the folder.
  public convenience init(directory: String) throws {
    self.init(.first, try SQLiteEngine(StoreFiles(directory: directory)), in: directory)
  }

  init(_ number: AccountNumber, _ engine: any StoreEngine, in directory: String) {
    self.number = number
    self.engine = engine
    files = StoreFiles(directory: directory)
  }

  /// The store of another account in the same place.
  public func store(of number: AccountNumber) -> AlertStore {
    AlertStore(number, engine, in: files.directory)
  }

  /// Takes what is left of an erased account out of the engine's files, and out of this host's.
  /// Blocks; without an erasure it reads one row.
  /// - Returns: why something is left, to be tried again at the next backup or opening; nil:
  ///   nothing is.
  @discardableResult
  func removeErased() -> String? { engine.removeErased() }

  /// The stored account; nil before the owner has made one. Throws `StorageFailure`.
  public func account() throws -> Account? {
    try reading("read the account from") { db in try StateReader(db, number).owner() }
  }

  /// Makes the account durable by itself, outside of any batch. Throws `StorageFailure`.
  public func setAccount(_ account: Account) throws {
    try writing("write the account to") { db in try write(account, by: db) }
  }

  private func write(_ account: Account, by db: some RowTarget) throws {
    try ChangeWriter(db, number).write(account)
  }

  /// Reads the state that a core starts from, with damage that nobody has seen to.
  public func load() throws -> StoredState {
    var state = try reading("read") { db in try StateReader(db, number).read() }
    state.damage = try damage()
    state.isNew = engine.isNew && state.identities.isEmpty && state.current == nil
    return state
  }

  /// The events that other accounts of the folder have of a keychain, oldest first; as many as it
  /// keeps, and more. Throws `StorageFailure`.
  public func heardByOthers(from device: DeviceID) throws -> [EventIdentity] {
    try reading("read events from") { db in
      try StateReader(db, number).identitiesOfOthers(from: device)
    }
  }

  /// The keychains of which any account of the folder has events. Throws `StorageFailure`.
  public func keychainsOfAll() throws -> Set<DeviceID> {
    try reading("read keychains from") { db in try StateReader(db, number).keychainsOfAll() }
  }

  /// All incidents, oldest first.
  public func incidents() throws -> [Incident] {
    try reading("read incidents from") { db in
      let reader = StateReader(db, number)
      return try db.texts(
        "SELECT body FROM incident WHERE account = ? ORDER BY opened_wall, id", [whose]
      ).map { try reader.incident($0) }
    }
  }

  /// All committed presses, oldest first.
  public func presses() throws -> [StoredPress] {
    try reading("read events from") { db in try StateReader(db, number).presses() }
  }

  func writing(_ operation: String, _ write: (any RowTarget) throws -> Void) throws {
    do {
      try engine.write(write)
    } catch {
      throw engine.failure(operation, error)
    }
  }

  func reading<T>(_ operation: String, _ read: (any RowSource) throws -> T) throws -> T {
    do {
      return try engine.read(read)
    } catch {
      throw engine.failure(operation, error)
    }
  }
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
      let rows = try db.rows(
        """
        SELECT id, device, number, incident FROM event
        WHERE kind = ? AND id > ? AND id <= ? ORDER BY id LIMIT ?
        """,
        [
          .number(EventKind.pressed.rawValue), .integer(self.rows.id(after)),
          .integer(self.rows.ids.upperBound), .number(limit + 1),
        ])
      let presses = try rows.prefix(limit).map { try StoredPress($0) }
      guard rows.count > limit else { return StoredPage(rows: presses, next: nil) }
      return StoredPage(
        rows: presses, next: AccountRows.number(of: try rows[limit - 1].number(0)))
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
      let rows = try db.texts(
        """
        SELECT body FROM incident WHERE account = ? ORDER BY opened_wall, id LIMIT ? OFFSET ?
        """, [whose, .number(limit + 1), .integer(after)])
      return StoredPage(
        rows: try rows.prefix(limit).map { try reader.incident($0) },
        next: rows.count > limit ? after + Int64(limit) : nil)
    }
  }
}

/// Damage.
extension AlertStore {
  /// Damage that this opening or an earlier one found and that a person has to look at; nil once
  /// its note has been removed.
  public func damage() throws -> RecordsDamage? {
    let reports = DamageReport.all(in: files)
    guard var damage = RecordsDamage(reports, of: number), let wall = reports.last?.wall else {
      return nil
    }
    // An alarm that was opened later shows who is in need: the older doubt is over.
    let opened = try reading("read incidents from") { db in
      try db.number("SELECT MAX(opened_wall) FROM incident WHERE account = ?", [whose]) ?? .min
    }
    if opened > wall { damage.isAlarmInDoubt = false }
    return damage
  }
}
