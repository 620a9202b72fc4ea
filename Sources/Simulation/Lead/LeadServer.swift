import AlertCore
import FobBase

/// A database server with a standby server that each commit waits for, as the cores see them.
///
/// A transaction waits for its rows' locks, is refused or not, and waits for the standby server
/// with its locks held. Until then nobody sees it.
struct LeadServer {
  /// What transactions lock.
  enum Row { case leader, core }

  /// The rows.
  struct Rows {
    /// Of the row `leader`; empty: no core has the store.
    var holder = ""
    var name = ""
    var beat: Int64 = 0
    /// Of the row `core`.
    var writer = ""
    var epoch: Int64 = 0
    var batch: Int64 = 0
    var tables = Tables()
    var log: [AuditEvent] = []
  }

  /// How a transaction has ended, as the server answers.
  enum End: Equatable {
    case committed(epoch: Int64, batch: Int64)
    /// It is seen, and perhaps not on the standby server: somebody has cancelled that wait.
    case cancelled
    /// Another core has the store, or has given a sign of life.
    case refused
    /// Others have kept its rows locked.
    case locked
  }

  struct Transaction {
    /// Numbered by the world; each is of one core.
    let connection: Int
    let locks: [Row]
    /// Is asked with the locks held.
    let passes: (Rows) -> Bool
    let apply: (inout Rows) -> Void
    let end: (End) -> Void
  }

  /// How long a transaction waits for locks.
  static let lockPatience = Interval.seconds(8)

  private(set) var rows = Rows()
  /// As the standby server has them.
  private(set) var standby = Rows()
  /// Until then it answers nobody: another machine becomes the server.
  private(set) var isAway = false
  private(set) var isStandbyAway = false
  /// In the order of their coming.
  private var waiting: [(number: Int, transaction: Transaction)] = []
  /// With their locks, for the standby server.
  private(set) var pending: [(number: Int, transaction: Transaction)] = []
  private var last = 0

  // MARK: Transactions

  /// - Returns: its number.
  mutating func begin(_ transaction: Transaction) -> Int {
    last += 1
    waiting.append((last, transaction))
    return last
  }

  /// Gives free locks to those that wait for them.
  /// - Returns: the numbers of those that wait for the standby server from now on, and those whose
  ///   end is to be told.
  mutating func lock() -> (pending: [Int], ended: [(Transaction, End)]) {
    var began: [Int] = []
    var ended: [(Transaction, End)] = []
    var blocked = Set(pending.flatMap(\.transaction.locks))
    var still: [(number: Int, transaction: Transaction)] = []
    for each in waiting {
      if !blocked.isDisjoint(with: each.transaction.locks) {
        blocked.formUnion(each.transaction.locks)
        still.append(each)
      } else if each.transaction.passes(rows) {
        blocked.formUnion(each.transaction.locks)
        pending.append(each)
        began.append(each.number)
      } else {
        ended.append((each.transaction, .refused))
      }
    }
    waiting = still
    return (began, ended)
  }

  /// It has waited too long for its locks.
  mutating func giveUp(_ number: Int) -> Transaction? {
    waiting.firstIndex { $0.number == number }.map { waiting.remove(at: $0).transaction }
  }

  /// The standby server has it.
  /// - Returns: nil where it has ended before, or the standby server is away.
  mutating func replicate(_ number: Int) -> (Transaction, End)? {
    guard !isAway, !isStandbyAway, let transaction = take(number) else { return nil }
    transaction.apply(&rows)
    // What was cancelled before comes first.
    standby = rows
    return (transaction, .committed(epoch: rows.epoch, batch: rows.batch))
  }

  /// Somebody cancels a wait for the standby server.
  mutating func cancel(_ number: Int) -> (Transaction, End)? {
    guard let transaction = take(number) else { return nil }
    transaction.apply(&rows)
    if !isStandbyAway { standby = rows }
    return (transaction, .cancelled)
  }

  private mutating func take(_ number: Int) -> Transaction? {
    pending.firstIndex { $0.number == number }.map { pending.remove(at: $0).transaction }
  }

  // MARK: Connections

  func waitsForStandby(_ connections: Set<Int>) -> Bool {
    isStandbyAway && pending.contains { connections.contains($0.transaction.connection) }
  }

  /// Ends connections: a wait for the standby server ends with them, as if it were cancelled.
  mutating func end(_ connections: Set<Int>) {
    waiting.removeAll { connections.contains($0.transaction.connection) }
    for each in pending where connections.contains(each.transaction.connection) {
      _ = cancel(each.number)
    }
  }

  // MARK: Faults

  /// - Returns: those that wait for it.
  mutating func setStandby(away: Bool) -> [Int] {
    isStandbyAway = away
    if !away { standby = rows }
    return pending.map(\.number)
  }

  /// The server's machine is dead, and what it was doing is on the standby server, or not.
  mutating func die(_ random: inout SplitMix64) {
    isAway = true
    waiting = []
    for each in pending where !isStandbyAway && Bool.random(using: &random) {
      each.transaction.apply(&standby)
    }
    pending = []
  }

  /// The standby server is the server from now on, with a new one behind it.
  mutating func failOver() {
    isAway = false
    isStandbyAway = false
    rows = standby
  }
}
