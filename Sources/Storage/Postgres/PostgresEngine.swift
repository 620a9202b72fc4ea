import AlertCore
import FobBase
import Foundation
import SerialIO
import Synchronization

/// Rows in a database of a PostgreSQL server. A batch is one transaction and one round trip.
///
/// One core holds the store: each of its transactions begins with a fence that fails once another
/// core has taken the store over. Commits and reads have a connection each, and are done one at a
/// time.
final class PostgresEngine: StoreEngine {
  private let server: PostgresServer
  private let lock: StateLock?
  private let writer: PostgresWriter
  private let reader: PostgresReader
  private let beat: PostgresBeat?
  /// Another core has the store.
  private let loss: Once
  let pages = DispatchQueue(label: "log pages")

  var path: String { server.url }
  var found: DamageReport? { nil }
  // Another core may have opened it before, and told people without making anything durable.
  var isNew: Bool { false }

  /// Blocks until the server has answered.
  /// - Parameters:
  ///   - files: the state folder, where what is in no database stands; nil: none is needed.
  ///   - standsBy, told, lost: as `AlertStore.init(on:directory:standsBy:told:lost:)`.
  /// - Throws: `StorageFailure`; `IOFailure` if another process holds the folder.
  init(
    _ server: PostgresServer, _ files: StoreFiles?, standsBy: AlertStore.StandsBy? = nil,
    told: @escaping @Sendable (_ news: String) -> Void = { _ in },
    lost: @escaping @Sendable () -> Void = {}
  ) throws {
    self.server = server
    try files?.makeFolder()
    if let files { lock = try StateLock(directory: files.directory) } else { lock = nil }
    try files?.assureRows(areAt: server)
    let holder = try files.map { try PostgresHolder(of: $0) }
    let loss = Once(lost)
    self.loss = loss
    do {
      writer = try PostgresWriter(server, holder, standsBy, told, lost: loss.run)
    } catch let error as PostgresError {
      throw StorageFailure("open", path: server.url, error)
    }
    reader = PostgresReader(server, writer.waits)
    beat =
      holder == nil
      ? nil
      : try PostgresBeat(
        server, holder: writer.holder, name: writer.name + " beat", tookAt: writer.tookAt, told,
        lost: loss.run)
    if let files, let holder {
      try files.write("\(server.url)\n\(holder.id)\n", to: files.server)
    }
    _ = removeErased()
  }

  func commit(_ batches: [AlertStore.Batch]) -> [AlertStore.Committed] {
    commit(batches, isBrief: false)
  }

  /// - Parameter isBrief: others wait behind these batches.
  private func commit(_ batches: [AlertStore.Batch], isBrief: Bool) -> [AlertStore.Committed] {
    do {
      return try writer.commit(batches, isBrief: isBrief).map { .success($0) }
    } catch {
      let parts = Self.isAway(error) ? [batches] : AlertStore.Batch.inseparable(batches)
      guard parts.count == 1 else { return parts.flatMap { commit($0, isBrief: true) } }
      let failure = failure("commit to", error)
      return batches.map { _ in .failure(failure) }
    }
  }

  /// No batch gets an answer.
  private static func isAway(_ error: any Error) -> Bool {
    switch error {
    case PostgresError.lost, PostgresError.unreachable,
      PostgresError.refused(PostgresError.takenOverState, _):
      true
    case let failure as StorageFailure: failure.isOfServer
    default: false
    }
  }

  func read<T>(_ body: (any RowSource) throws -> T) throws -> T { try reader.read(body) }

  func write(_ body: (any RowTarget) throws -> Void) throws { try writer.write(body) }

  func failure(_ operation: String, _ error: any Error) -> StorageFailure {
    if let error = error as? PostgresError {
      return StorageFailure(operation, path: path, error)
    }
    let failure = StorageFailure(operation, path: path, error)
    if error is StorageFailure { return failure }
    // No folder is to blame, and no start sets anything aside.
    return .ofServer(
      operation, path: path, reason: failure.reason,
      remedy: failure.isDamage ? "go back to a backup of the server's" : nil)
  }

  /// The server rewrites the tables. Its backups and the log that it keeps are with who runs it.
  func removeErased() -> String? {
    do {
      // The commit thread asks this, too, after an erasure.
      let isOwed = try PostgresReader(server, writer.waits).read { db in
        try !db.rows("SELECT 1 FROM setting WHERE name = 'erasing'").isEmpty
      }
      guard isOwed else { return nil }
      try writer.rewrite(StateTable.all.map(\.name))
      try write { db in try db.writeRow("DELETE FROM setting WHERE name = 'erasing'", []) }
      return nil
    } catch {
      return "\(failure("remove what was erased from", error))"
    }
  }

  func backUp(within patience: Interval) -> StateBackup.Outcome {
    removeErased().map { .erasureOwed($0) } ?? .made
  }

  var hasBackup: Bool? { nil }

  var awaitsServer: Bool { writer.waits.isUnderWay }

  var serverTrouble: String? {
    loss.isDone ? "another core has taken the store over" : beat?.trouble(at: BootClock.now())
  }

  var isLeading: Bool { !loss.isDone && (beat?.proves(at: BootClock.now()) ?? true) }

  func release() {
    beat?.stop()
    writer.release()
  }

  deinit { release() }
}

/// Does something the first time alone.
private final class Once: Sendable {
  private let done = Atomic(false)
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  var isDone: Bool { done.load(ordering: .acquiring) }

  @Sendable func run() {
    if !done.exchange(true, ordering: .acquiringAndReleasing) { body() }
  }
}

extension AlertStore {
  /// - Parameter leader: where the core that has the store answers; empty where it does not say,
  ///   and nil while the server does not answer.
  public typealias StandsBy = (_ leader: String?) throws -> Void

  /// Opens the store on a PostgreSQL server, and makes its tables where they are missing; it is the
  /// store of the first account. Another core that has it is fenced off once it is gone from there.
  /// - Parameters:
  ///   - server: of the database, whose owner the role is.
  ///   - directory: the state folder, for what is in no database: tokens and keys.
  ///   - standsBy: is called again and again while another core has the store, and waits for a
  ///     while; what it throws is thrown here. Nil: such a store is refused.
  ///   - told: is called with a clause: where a commit is when it returns, and what that is worth,
  ///     at the opening and when the server has changed it; and when the server fails and works
  ///     again. On the thread of this call, of a commit, or one of its own.
  ///   - lost: is called once on a thread of its own when another core has taken the store over:
  ///     nothing more can be committed.
  /// - Throws: `StorageFailure` naming the server and a hint; `IOFailure` if another process holds
  ///   the folder.
  public convenience init(
    on server: PostgresServer, directory: String, standsBy: StandsBy? = nil,
    told: @escaping @Sendable (_ news: String) -> Void = { _ in },
    lost: @escaping @Sendable () -> Void = {}
  ) throws {
    let engine = try PostgresEngine(
      server, StoreFiles(directory: directory), standsBy: standsBy, told: told, lost: lost)
    self.init(.first, engine, in: directory)
  }
}

/// Reads of one moment each, by a connection of their own.
///
/// Unchecked: the lock guards the connection.
final class PostgresReader: @unchecked Sendable {
  private let server: PostgresServer
  private let waits: ServerWait
  private let lock = NSLock()
  private var connection: PostgresConnection?
  private static let begin = PostgresCommand(
    sql: "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY")

  /// - Parameter waits: counts those of its connections.
  init(_ server: PostgresServer, _ waits: ServerWait = ServerWait()) {
    self.server = server
    self.waits = waits
  }

  /// - Throws: what `body` throws; `PostgresError`.
  func read<T>(_ body: (any RowSource) throws -> T) throws -> T {
    try lock.withLock {
      let connection = try begun()
      do {
        let result = try body(PostgresSnapshot(connection: connection))
        try connection.exchange([PostgresCommand(sql: "COMMIT")])
        return result
      } catch {
        try? connection.exchange([PostgresCommand(sql: "ROLLBACK")])
        throw error
      }
    }
  }

  /// A connection that has gone meanwhile is made anew.
  private func begun() throws -> PostgresConnection {
    if let connection, !connection.isLost {
      do {
        try connection.exchange([Self.begin])
        return connection
      } catch PostgresError.lost {}
    }
    connection = nil
    let new = try server.connect(waits)
    try new.exchange([Self.begin])
    connection = new
    return new
  }
}
