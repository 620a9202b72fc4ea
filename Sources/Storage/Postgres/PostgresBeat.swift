import FobBase
import Glibc
import SerialIO
import Synchronization

/// The sign of life of the core that has the store, each second: other cores see it, and it proves
/// to this one that it still decides, and that what is committed now would be durable. Thread and
/// connection are its own: no batch waits for it.
final class PostgresBeat: Sendable {
  private static let every = Interval.seconds(1)
  /// An answer that takes longer is no answer.
  private static let patience = Interval.seconds(5)
  /// For so long after a beat no other core can have taken the store over, by the clock of any that
  /// would: it waits for `LeaderWatch.patience`.
  private static let proves = Interval.seconds(3)
  /// For what waits for a standby: who gave it up would leave one connection after the other at the
  /// server.
  private static let longest = Interval.seconds(86_400)

  /// What the thread shares with who asks.
  private final class Shared: Sendable {
    let state: Mutex<State>
    let stop: EventSignal

    init(_ state: State) throws(IOFailure) {
      self.state = Mutex(state)
      stop = try EventSignal()
    }
  }

  private struct State {
    /// Of the beat that has no answer yet.
    var askedAt: Instant?
    /// Of the last beat that was answered.
    var provedAt: Instant
    var trouble: String?
    var isStopped = false
  }

  private let shared: Shared

  /// Starts the thread.
  /// - Parameters:
  ///   - holder: of the store, as `leader` has it.
  ///   - name: of the connection, in the server's list.
  ///   - tookAt: before the store was taken.
  ///   - told: is called on the thread when the server fails, with why, and when it works again.
  ///   - lost: is called on it once another core has the store, the last of all.
  init(
    _ server: PostgresServer, holder: String, name: String, tookAt: Instant,
    _ told: @escaping @Sendable (_ news: String) -> Void,
    lost: @escaping @Sendable () -> Void
  ) throws(IOFailure) {
    let shared = try Shared(State(provedAt: tookAt))
    self.shared = shared
    _ = try BlockingThread(name: "store beat") {
      var connection: PostgresConnection?
      repeat {
        let askedAt = BootClock.now()
        shared.state.withLock { $0.askedAt = askedAt }
        var failure: String?
        do {
          let live = try connection ?? server.connect(as: name)
          connection = live
          try Self.beat(live, server, holder)
        } catch PostgresError.refused(PostgresError.takenOverState, _) {
          let isStopped = shared.state.withLock { state in
            state.trouble = "\(PostgresError.takenOver)"
            return state.isStopped
          }
          return isStopped ? () : lost()
        } catch {
          failure = "\(error)"
          connection = nil
        }
        let before = shared.state.withLock { state in
          state.askedAt = nil
          if failure == nil { state.provedAt = askedAt }
          defer { state.trouble = failure }
          return state.trouble
        }
        if let failure, before == nil { told("the server fails: \(failure)") }
        if failure == nil, before != nil { told("the server works again") }
      } while (try? Syscall.poll(
        shared.stop.descriptor, for: POLLIN, until: BootClock.now() + Self.every)) == 0
    }
  }

  /// No beat begins any more, and what the last one finds is told to nobody.
  func stop() {
    shared.state.withLock { $0.isStopped = true }
    shared.stop.signal()
  }

  deinit { stop() }

  /// Throws why nothing would be durable. A beat waits for the standbys as a batch does.
  private static func beat(
    _ connection: PostgresConnection, _ server: PostgresServer, _ holder: String
  ) throws {
    let command = PostgresCommand(
      sql: """
        UPDATE leader SET beat = beat + 1 WHERE holder = ?
        RETURNING holder, \(PostgresQuorum.columns)
        """, values: [.string(holder)])
    var row: StoredRow?
    try connection.transaction([command], patience: longest) { row = $0 }
    guard let row else { throw PostgresError.takenOver }
    try server.requireQuorum(PostgresQuorum.servers(row))
  }

  /// No other core can have the store.
  func proves(at now: Instant) -> Bool {
    now - shared.state.withLock(\.provedAt) < Self.proves
  }

  /// Why nothing would be durable, in words that say nothing of where the server is; nil: it would.
  func trouble(at now: Instant) -> String? {
    let state = shared.state.withLock { $0 }
    if state.trouble != nil { return "the server of the store fails" }
    guard let askedAt = state.askedAt, now - askedAt >= Self.patience else { return nil }
    return "the server of the store does not answer"
  }
}
