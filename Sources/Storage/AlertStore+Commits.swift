import GRDB

extension AlertStore {
  /// Has `body` called before each transaction of the store becomes durable, on the thread that
  /// commits: for whoever measures what a slower store would do.
  package func beforeCommits(_ body: @escaping @Sendable () -> Void) {
    database.add(transactionObserver: CommitListener(body), extent: .databaseLifetime)
  }
}

private final class CommitListener: TransactionObserver {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseWillCommit() { body() }
  func databaseDidCommit(_ db: Database) {}
  func databaseDidRollback(_ db: Database) {}
}
