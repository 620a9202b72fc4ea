import FobBase
import Glibc
import SerialIO
import Synchronization

/// Asks the server every two seconds whether what is committed now would be durable, so that one
/// that is away is known before somebody presses. It commits a record that is in no table, which
/// waits for the standbys as a batch does. Thread and connection are its own: no batch waits for
/// it.
final class PostgresBeat: Sendable {
  private static let every = Interval.seconds(2)
  /// An answer that takes longer is no answer.
  private static let patience = Interval.seconds(5)
  /// For what waits for a standby: who gave it up would leave one connection after the other at the
  /// server.
  private static let longest = Interval.seconds(86_400)
  private static let question = [
    PostgresCommand(sql: "SELECT pg_logical_emit_message(true, 'fob', '')::text"),
    PostgresCommand(sql: "SELECT holder, \(PostgresQuorum.columns) FROM core"),
  ]

  /// What the thread shares with who asks.
  private final class Shared: Sendable {
    let state = Mutex<State>(State())
    let stop: EventSignal

    init() throws(IOFailure) { stop = try EventSignal() }
  }

  private struct State {
    /// Of the question that has no answer yet.
    var askedAt: Instant?
    var trouble: String?
  }

  private let shared: Shared

  /// Starts the thread.
  /// - Parameters:
  ///   - holder: of the store, as `core` has it.
  ///   - name: of the connection, in the server's list.
  ///   - told: is called on the thread when the server fails, with why, and when it works again.
  init(
    _ server: PostgresServer, holder: String, name: String,
    _ told: @escaping @Sendable (_ news: String) -> Void
  ) throws(IOFailure) {
    let shared = try Shared()
    self.shared = shared
    _ = try BlockingThread(name: "store beat") {
      var connection: PostgresConnection?
      repeat {
        shared.state.withLock { $0.askedAt = BootClock.now() }
        var failure: String?
        do {
          let live = try connection ?? server.connect(as: name)
          connection = live
          try Self.ask(live, server, holder)
        } catch {
          failure = "\(error)"
          connection = nil
        }
        let before = shared.state.withLock { state in
          defer { state = State(askedAt: nil, trouble: failure) }
          return state.trouble
        }
        if let failure, before == nil { told("the server fails: \(failure)") }
        if failure == nil, before != nil { told("the server works again") }
      } while (try? Syscall.poll(
        shared.stop.descriptor, for: POLLIN, until: BootClock.now() + Self.every)) == 0
    }
  }

  /// The thread ends after its question.
  deinit { shared.stop.signal() }

  /// Throws why nothing would be durable.
  private static func ask(
    _ connection: PostgresConnection, _ server: PostgresServer, _ holder: String
  ) throws {
    var last: StoredRow?
    try connection.transaction(question, patience: longest) { last = $0 }
    guard let last, try last.text(0) == holder else {
      throw PostgresError.refused(state: "FB001", "another core has taken it over")
    }
    try server.requireQuorum(PostgresQuorum.servers(last))
  }

  /// Why nothing would be durable, in words that say nothing of where the server is; nil: it would.
  func trouble(at now: Instant) -> String? {
    let state = shared.state.withLock { $0 }
    if state.trouble != nil { return "the server of the store fails" }
    guard let askedAt = state.askedAt, now - askedAt >= Self.patience else { return nil }
    return "the server of the store does not answer"
  }
}
