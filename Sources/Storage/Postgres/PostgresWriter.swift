import AlertCore
import FobBase
import Foundation
import SerialIO

/// Writes as the core that holds the store, as `FencedBatches` says: a batch is known by its holder
/// and number, and the row `core` has those of the last one.
///
/// Unchecked: the lock guards all that varies.
final class PostgresWriter: @unchecked Sendable {
  private let server: PostgresServer
  private let lock = NSLock()
  /// Of this process: drawn at random.
  let holder = UUID().uuidString
  /// Of its connections.
  let name: String
  /// Those of its connections, and of what else the commit thread asks.
  let waits = ServerWait()
  /// On how many servers a commit is, as the last one has told; nil: none was made.
  private var servers: Int?
  /// Is called on the commit thread when that changes, and at the opening.
  private let told: @Sendable (_ news: String) -> Void
  /// Is called when another core has the store.
  private let lost: @Sendable () -> Void
  /// Before the store was taken.
  private(set) var tookAt = BootClock.now()
  private var connection: PostgresConnection
  private var batches = FencedBatches<Sent>()
  private var known = PostgresNumbers()
  /// What the last batch of an account has written, where the core was told that it had failed.
  private var written: [AccountNumber: WrittenBatch] = [:]

  /// What follows of a batch that was sent.
  private struct Sent {
    /// What is known of the rows then; nil: nothing, since any may have been written.
    var given: PostgresNumbers?
    var written: [AccountNumber: WrittenBatch] = [:]
  }

  /// Takes the store over once no living core has it, and brings its tables to this version.
  /// - Parameters:
  ///   - holder: the folder whose lock this process has; nil: none.
  ///   - standsBy: see `AlertStore.init(on:directory:standsBy:told:lost:)`.
  /// - Throws: `StorageFailure` if another core has it and nobody stands by; `PostgresError`; what
  ///   `standsBy` throws.
  init(
    _ server: PostgresServer, _ holder: PostgresHolder?, _ standsBy: AlertStore.StandsBy?,
    _ told: @escaping @Sendable (_ news: String) -> Void,
    lost: @escaping @Sendable () -> Void = {}
  ) throws {
    self.server = server
    self.told = told
    self.lost = lost
    name = holder?.name ?? "fob \(self.holder)"
    connection = try server.connect(as: name, waits)
    do {
      try askQuorum()
    } catch PostgresError.lost(let words) {
      throw StorageFailure.ofServer(
        "use", path: server.url, reason: words,
        remedy: "name standbys in the server's synchronous_standby_names, or lower"
          + " --require-quorum")
    }
    try PostgresSchema.prepare(connection, path: server.url)
    try lead(standsBy)
  }

  // MARK: Leading

  /// Waits until no living core has the store, and takes it.
  private func lead(_ standsBy: AlertStore.StandsBy?) throws {
    var watch = LeaderWatch()
    // Nil while the server does not answer.
    var address: String? = ""
    while true {
      do {
        if connection.isLost { connection = try server.connect(as: name, waits) }
        let db = PostgresSnapshot(connection: connection)
        let askedAt = BootClock.now()
        guard let leader = try PostgresLeader.read(by: db) else {
          throw StorageFailure.ofServer(
            "open", path: server.url, reason: "its table `leader` has no row")
        }
        address = leader.address
        let isSilent = watch.isSilent(
          leader.holder, beat: leader.beat, askedAt: askedAt, at: BootClock.now())
        let isFree = ["", holder].contains(leader.holder) || leader.name == name
        if try isFree || (isSilent && !PostgresLeader.waitsForStandby(leader.name, db)),
          try take(from: leader)
        {
          return
        }
      } catch let error as PostgresError {
        // The server may be about to be another one.
        guard standsBy != nil else { throw error }
        address = nil
        watch.forget()
      }
      if let standsBy {
        try standsBy(address)
      } else {
        guard !watch.hasBeaten else {
          throw StorageFailure.ofServer(
            "open", path: server.url, reason: "another core has it open", remedy: "end that one")
        }
        usleep(100_000)
      }
    }
  }

  /// Takes the store from a core that is gone.
  /// - Returns: false where that one has given a sign of life, or a third has it now.
  private func take(from leader: PostgresLeader) throws -> Bool {
    let db = PostgresSnapshot(connection: connection)
    // A beat may have come since.
    guard try PostgresLeader.read(by: db) == leader else { return false }
    try leader.endConnections(db)
    tookAt = BootClock.now()
    var isTaken = false
    try connection.transaction([
      PostgresCommand(
        sql: """
          UPDATE leader SET holder = ?, name = ?, address = ?, beat = beat + 1
          WHERE holder = ? AND beat = ? RETURNING holder
          """,
        values: [
          .string(holder), .string(name), .string(server.address), .string(leader.holder),
          .integer(leader.beat),
        ]),
      PostgresCommand(
        sql: """
          UPDATE core SET holder = ?1, epoch = epoch + 1, batch = 0
          WHERE EXISTS (SELECT FROM leader WHERE holder = ?1)
          """,
        values: [.string(holder)]),
    ]) { _ in isTaken = true }
    guard isTaken else { return false }
    _ = try raiseEpoch()
    // One that it made meanwhile cannot commit, and may hold a row.
    try leader.endConnections(db)
    return true
  }

  /// Lets another core take the store at once. Nothing is to be committed any more.
  func release() {
    guard lock.lock(before: Date(timeIntervalSinceNow: 1)) else { return }
    defer { lock.unlock() }
    guard !connection.isLost else { return }
    let command = PostgresCommand(
      sql: "UPDATE leader SET holder = '', name = '', address = '' WHERE holder = ?",
      values: [.string(holder)])
    try? connection.exchange([command], patience: .seconds(1))
  }

  private func askQuorum() throws {
    var now = 0
    try connection.exchange([PostgresQuorum.question]) { now = try PostgresQuorum.servers($0) }
    try learn(now)
  }

  /// - Throws: `PostgresError.lost` where a commit is on fewer servers than are wanted.
  private func learn(_ now: Int) throws {
    if servers != now { told("a press that is acked is \(PostgresQuorum.words(now))") }
    servers = now
    try server.requireQuorum(now)
  }

  /// Fences off what an earlier connection of this core has under way, for whose end it waits.
  /// - Returns: what follows of a batch whose answer was lost, where it is durable.
  private func raiseEpoch() throws -> Sent? {
    let rows = try PostgresSnapshot(connection: connection).rows(
      "UPDATE core SET epoch = epoch + 1 WHERE holder = ? RETURNING epoch, batch",
      [.string(holder)])
    guard let row = rows.first else { throw PostgresError.takenOver }
    return batches.settle(epoch: try row.number(0), last: try row.number(1))
  }

  // MARK: Batches

  /// - Parameter isBrief: waits for locks that others have for a second, and not for eight.
  /// - Returns: of each batch the numbers of its log entries.
  /// - Throws: `PostgresError`: `refused` where nothing is written; else it is not known.
  func commit(
    _ batches: [AlertStore.Batch], isBrief: Bool = false
  ) throws -> [ClosedRange<Int64>?] {
    try fenced {
      try settle()
      let ids = try send(isBrief: isBrief) { try statements(of: batches) }
      for each in batches { written[each.store.number] = nil }
      return ids
    }
  }

  private func statements(
    of batches: [AlertStore.Batch]
  ) throws -> ([PostgresCommand], Sent, [ClosedRange<Int64>?]) {
    let batch = PostgresBatch(by: connection, known)
    var sent = Sent()
    let ids = try batches.map { each in
      let account = each.store.number
      let writer = ChangeWriter(batch, account)
      let ids = try writer.write(each.changes, after: written[account])
      batch.given.take(writer.numbers, of: account)
      sent.written[account] = WrittenBatch(each.changes, ids: ids)
      return ids
    }
    sent.given = batch.given
    return (batch.commands, sent, ids)
  }

  /// Writes what no batch has. Numbers are not known any more then.
  func write(_ body: (any RowTarget) throws -> Void) throws {
    try fenced {
      try settle()
      let batch = PostgresBatch(by: connection, known)
      try body(batch)
      let commands = batch.commands
      try send { (commands, Sent(), ()) }
    }
  }

  /// Writes alone, and hears of it where another core has the store.
  private func fenced<T>(_ body: () throws -> T) throws -> T {
    do {
      return try lock.withLock(body)
    } catch PostgresError.refused(PostgresError.takenOverState, let words) {
      lost()
      throw PostgresError.refused(state: PostgresError.takenOverState, words)
    }
  }

  /// Takes what was removed out of the tables' files; nothing is committed meanwhile.
  func rewrite(_ tables: [String]) throws {
    try lock.withLock {
      try settle()
      for table in tables {
        try connection.exchange(
          [PostgresCommand(sql: "VACUUM (FULL) \(table)")], patience: .seconds(600))
      }
    }
  }

  /// Sends a batch, and once more where it is sure that it did not arrive.
  /// - Parameter make: makes it by what is known of the rows, which is less on another connection.
  /// - Returns: what `make` has returned beside it.
  private func send<Made>(
    isBrief: Bool = false, _ make: () throws -> ([PostgresCommand], Sent, Made)
  ) throws -> Made {
    let brief = isBrief ? [PostgresCommand(sql: "SET LOCAL lock_timeout = 1000")] : []
    var isLast = false
    while true {
      let (commands, sent, made) = try make()
      let number = batches.next()
      let fence = PostgresCommand(
        sql: "SELECT fence(?, ?)::text, \(PostgresQuorum.columns)",
        values: [.integer(batches.epoch), .integer(number)])
      do {
        // Before the COMMIT and behind it: whoever runs the server may change it at any time.
        // The first row is the fence's, the last one the question's.
        var first: StoredRow?
        var last: StoredRow?
        try connection.transaction(
          brief + [fence] + commands, following: [PostgresQuorum.question]
        ) {
          first = first ?? $0
          last = $0
        }
        let counts = try [first, last].compactMap(\.self).map(PostgresQuorum.servers)
        try learn(counts.min() ?? 0)
        learn(sent.given)
        return made
      } catch PostgresError.lost(let words) {
        batches.lostAnswer(sent)
        if try settle() { return made }
        guard !isLast else { throw PostgresError.lost(words) }
        isLast = true
      }
    }
  }

  private func learn(_ given: PostgresNumbers?) {
    if let given { known.take(given) } else { known = PostgresNumbers() }
  }

  /// Asks what became of a batch whose answer was lost, and has a connection that works.
  /// - Returns: whether it is durable; false, too, where none was lost.
  @discardableResult
  private func settle() throws -> Bool {
    guard batches.isUnsettled || connection.isLost else { return false }
    connection = try server.connect(as: name, waits)
    known.forgetEntries()
    try askQuorum()
    let db = PostgresSnapshot(connection: connection)
    do {
      guard let sent = try raiseEpoch() else { return false }
      learn(sent.given)
      known.forgetEntries()
      written.merge(sent.written) { $1 }
      return true
    } catch PostgresError.refused("55P03", let words) {
      // The row that holds it up is our own, until its commit is answered.
      guard try !PostgresLeader.waitsForStandby(name, db) else {
        throw PostgresError.lost("an earlier commit of this core still waits for a standby")
      }
      throw PostgresError.refused(state: "55P03", words)
    }
  }
}
