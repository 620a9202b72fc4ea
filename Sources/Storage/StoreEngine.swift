import FobBase
import Foundation

/// What a store keeps its rows by: SQLite in the state folder, or a PostgreSQL server. Both pass
/// the same tests. An engine is shared by the accounts of its store.
protocol StoreEngine: AnyObject, Sendable {
  /// Where the rows are, for people.
  var path: String { get }
  /// The damage that its opening found and set aside.
  var found: DamageReport? { get }
  /// This opening has made it. False in doubt.
  var isNew: Bool { get }
  /// Runs the reads of `AlertStore.page`, one after the other.
  var pages: DispatchQueue { get }

  /// As `AlertStore.commit`, on the commit thread. Durable when it returns.
  func commit(_ batches: [AlertStore.Batch]) -> [AlertStore.Committed]

  /// Reads of one moment. Throws what `body` throws, and the engine's own errors.
  func read<T>(_ body: (any RowSource) throws -> T) throws -> T

  /// Writes in one transaction, durable when it returns. Throws what `body` throws, and the
  /// engine's own errors: then nothing is written, unless a server's answer was lost.
  func write(_ body: (any RowTarget) throws -> Void) throws

  /// What an error means, in words with a hint.
  func failure(_ operation: String, _ error: any Error) -> StorageFailure

  /// As `AlertStore.removeErased`.
  func removeErased() -> String?

  /// As `AlertStore.backUp`.
  func backUp(within patience: Interval) -> StateBackup.Outcome
  /// As `AlertStore.hasBackup`.
  var hasBackup: Bool? { get }

  /// As `AlertStore.awaitsServer`.
  var awaitsServer: Bool { get }
  /// As `AlertStore.serverTrouble`.
  var serverTrouble: String? { get }
  /// As `AlertStore.isLeading`.
  var isLeading: Bool { get }
  /// As `AlertStore.release`.
  func release()
}
