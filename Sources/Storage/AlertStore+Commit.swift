public import AlertCore

/// Making batches durable.
extension AlertStore {
  /// Makes one batch durable: all of it or nothing.
  /// - Returns: the numbers of the new log entries, in their order; within the account each is
  ///   greater than any before it, and none is used twice. Nil if the batch has no log entry.
  /// - Throws: `StorageFailure`; if it shows damage, the next opening checks every page.
  @discardableResult
  public func commit(_ changes: Changes) throws -> ClosedRange<Int64>? {
    try Self.commit([Batch(store: self, changes: changes)])[0].get()
  }

  /// What one account makes durable at once.
  public struct Batch: Sendable {
    /// Of the account.
    public let store: AlertStore
    /// All of it or nothing.
    public let changes: Changes

    /// A batch for `commit`.
    public init(store: AlertStore, changes: Changes) {
      self.store = store
      self.changes = changes
    }

    private var moves: Set<MoveID> { Set(changes.moves.compactMap(\.id)) }

    /// The batches in their order, each alone or with the other sides of its moves.
    static func inseparable(_ batches: [Batch]) -> [[Batch]] {
      var parts: [[Batch]] = []
      var together: Set<MoveID> = []
      for batch in batches {
        let moves = batch.moves
        if moves.isDisjoint(with: together) {
          parts.append([batch])
          together = moves
        } else {
          parts[parts.count - 1].append(batch)
          together.formUnion(moves)
        }
      }
      return parts
    }
  }

  /// The end of one batch: what `commit` of it alone returns or throws.
  public typealias Committed = Result<ClosedRange<Int64>?, any Error>

  /// Makes batches of several accounts of one store durable in one transaction, so that they wait
  /// for the disk or the server once. If one of them cannot be written, each is tried alone: no
  /// account's batch keeps another's from the disk. The two batches of a move are tried together,
  /// and so are those of moves that share one: all of them or nothing.
  /// - Parameter batches: at least one; of each account at most one; those that are tried together
  ///   in a row, each of which has a move of those before it.
  /// - Returns: the end of each.
  public static func commit(_ batches: [Batch]) -> [Committed] {
    let results = batches[0].store.engine.commit(batches)
    if zip(batches, results).contains(where: { batch, result in
      if case .success = result { batch.changes.erasesAccount } else { false }
    }) {
      batches[0].store.removeErased()
    }
    return results
  }
}
