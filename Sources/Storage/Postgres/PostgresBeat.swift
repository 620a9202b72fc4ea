import AlertCore
import FobBase
import Glibc
import SerialIO
import Synchronization

/// The sign of life of the core that has the store, each second: other cores see it, and it proves
/// to this one that it still decides, and that what is committed now would be durable. Thread and
/// connection are its own: no batch waits for it.
final class PostgresBeat: Sendable {
  /// An answer that takes longer is no answer.
  private static let patience = Interval.seconds(5)
  /// A beat without an answer for so long is made anew by another connection, unless it waits for a
  /// standby server: who gave that up would leave one connection after the other at the server.
  private static let longest = Interval.seconds(3)

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
    var proof: LeadProof
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
    let shared = try Shared(State(proof: LeadProof(tookAt: tookAt)))
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
          let servers = try Self.beat(live, holder) { Self.waitsForStandby(name, server) }
          // It counts as a beat, whatever it is worth.
          shared.state.withLock { $0.proof.beat(askedAt: askedAt) }
          try server.requireQuorum(servers)
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
          defer { state.trouble = failure }
          return state.trouble
        }
        if let failure, before == nil { told("the server fails: \(failure)") }
        if failure == nil, before != nil { told("the server works again") }
      } while (try? Syscall.poll(
        shared.stop.descriptor, for: POLLIN, until: BootClock.now() + LeadProof.interval)) == 0
    }
  }

  /// No beat begins any more, and what the last one finds is told to nobody.
  func stop() {
    shared.state.withLock { $0.isStopped = true }
    shared.stop.signal()
  }

  deinit { stop() }

  /// By a connection of its own.
  private static func waitsForStandby(_ name: String, _ server: PostgresServer) -> Bool {
    guard let other = try? server.connect() else { return false }
    let db = PostgresSnapshot(connection: other)
    return (try? PostgresLeader.waitsForStandby(name, db)) ?? false
  }

  /// A beat waits for the standby servers as a batch does.
  /// - Returns: on how many servers it is. Throws why nothing would be durable.
  private static func beat(
    _ connection: PostgresConnection, _ holder: String, goesOn: @escaping () -> Bool
  ) throws -> Int {
    let command = PostgresCommand(
      sql: """
        UPDATE leader SET beat = beat + 1 WHERE holder = ?
        RETURNING holder, \(PostgresQuorum.columns)
        """, values: [.string(holder)])
    var row: StoredRow?
    try connection.transaction([command], patience: longest, { row = $0 }, goesOn: goesOn)
    guard let row else { throw PostgresError.takenOver }
    return try PostgresQuorum.servers(row)
  }

  /// No other core can have the store.
  func proves(at now: Instant) -> Bool {
    shared.state.withLock(\.proof).holds(at: now)
  }

  /// Why nothing would be durable, in words that say nothing of where the server is; nil: it would.
  func trouble(at now: Instant) -> String? {
    let state = shared.state.withLock { $0 }
    if state.trouble != nil { return "the server of the store fails" }
    guard let askedAt = state.askedAt, now - askedAt >= Self.patience else { return nil }
    return "the server of the store does not answer"
  }
}
