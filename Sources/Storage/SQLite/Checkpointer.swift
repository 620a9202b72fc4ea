import FobBase
import GRDB
import GRDBSQLite
import Glibc
import SerialIO
import Synchronization

/// Moves what SQLite's write-ahead log holds into the database (a checkpoint), on a thread of its
/// own and by a connection of its own. A commit that did so, as SQLite's do by default, would keep
/// its press waiting for all of the log's pages and two flushes.
///
/// The log starts over with the first commit after a checkpoint of all of it. Where that never
/// comes, since commits leave no pause or a reader does not end, the commit that finds the log at
/// its bound makes a checkpoint itself.
final class Checkpointer: Sendable {
  struct Bounds: Sendable {
    /// Pages of the log from which on a checkpoint is made. `LogSpace` has room for these, and for
    /// what comes meanwhile.
    var due = 600
    /// Pages at which a commit makes it: 16 MB, or 64 where an older version made the database.
    var most = 16_000
    /// How long the thread rests behind its checkpoints: where commits leave no pause they write
    /// the same pages again and again, of which one write is enough, and wait for the same disk.
    var rest = Interval.milliseconds(250)
  }

  private let bounds: Bounds
  private let connection: DatabaseQueue
  private let wanted: EventSignal
  private let stopped: EventSignal
  private let thread = Mutex<BlockingThread?>(nil)
  /// Held during a checkpoint.
  private let turn = Mutex(())
  private let blocking = Atomic(0)

  /// A checkpoint that commits have overtaken goes on with what is new, which is less each time.
  private static let rounds = 4
  private static let patience = Interval.seconds(10)

  /// - Parameter path: of the database.
  init(_ path: String, _ bounds: Bounds = Bounds()) throws {
    self.bounds = bounds
    connection = try DatabaseQueue(path: path)
    wanted = try EventSignal()
    stopped = try EventSignal()
  }

  /// How often a commit found the log at its bound.
  var blockingCheckpoints: Int { blocking.load(ordering: .relaxed) }

  /// From now on the commits of `db` tell how long the log is, and make no checkpoint.
  func start(behind db: Database) throws {
    let new = try BlockingThread(name: "checkpoints") { [self] in run() }
    thread.withLock { $0 = new }
    let own = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      db.sqliteConnection,
      { own, connection, _, pages in
        Unmanaged<Checkpointer>.fromOpaque(own!).takeUnretainedValue()
          .note(Int(pages), connection!)
        // The commit is done, whatever becomes of the log.
        return SQLITE_OK
      }, own)
  }

  /// No checkpoint is made meanwhile.
  func pausing<T>(_ body: () throws -> T) rethrows -> T { try turn.withLock { _ in try body() } }

  /// Returns when the thread has ended. Nothing is committed from now on.
  func stop() {
    stopped.signal()
    _ = thread.withLock { $0.take() }?.join(within: Self.patience)
  }

  /// After each commit, on its thread.
  private func note(_ pages: Int, _ connection: OpaquePointer) {
    guard pages >= bounds.due else { return }
    wanted.signal()
    guard pages >= bounds.most else { return }
    blocking.add(1, ordering: .relaxed)
    // Where a reader or the thread is at the log, the next commit tries again.
    sqlite3_wal_checkpoint_v2(connection, "main", SQLITE_CHECKPOINT_RESTART, nil, nil)
  }

  private func run() {
    while true {
      try? Syscall.awaitEither(wanted.descriptor, stopped.descriptor)
      wanted.clear()
      for _ in 0..<Self.rounds {
        if isStopped() { return }
        if checkpoint() { break }
      }
      if isStopped(by: BootClock.now() + bounds.rest) { return }
    }
  }

  private func isStopped(by deadline: Instant = BootClock.now()) -> Bool {
    (try? Syscall.poll(stopped.descriptor, for: POLLIN, until: deadline)) == POLLIN
  }

  /// - Returns: whether the database has all of the log, or nothing can be done now: the next
  ///   commit asks again.
  private func checkpoint() -> Bool {
    turn.withLock { _ in
      let pages = try? connection.writeWithoutTransaction { try $0.checkpoint(.passive) }
      return pages.map { $0.checkpointedFrameCount >= $0.walFrameCount } ?? true
    }
  }
}
