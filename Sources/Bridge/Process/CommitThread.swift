import AlertCore
import FobBase
import SerialIO
import Storage

/// Makes the batches of all accounts durable, on a thread of its own. Those that wait go together,
/// and wait for the disk once.
final class CommitThread: Sendable {
  private enum Work: Sendable {
    case batch(CommitBatch, of: CoreRunner)
    /// Answer the liveness probe.
    case answer
  }

  /// How many batches go together: more would keep the first ones waiting.
  private static let together = 64

  private let works: BoundedQueue<Work>
  private let sign: LivenessProbe
  private let commitBatches: AlertBridge.Commit

  /// - Parameter commit: called on the thread; a measurement can wrap the commit here.
  init(_ commit: @escaping AlertBridge.Commit) throws(IOFailure) {
    commitBatches = commit
    // An account has one batch under way at most.
    works = try BoundedQueue(limit: AccountNumber.last.rawValue + 1)
    sign = try LivenessProbe()
  }

  /// Never waits. Once stopped it takes none.
  /// - Returns: false if it was not taken.
  func put(_ batch: CommitBatch, of runner: CoreRunner) -> Bool {
    works.put(.batch(batch, of: runner))
  }

  /// - Parameter awaitsServer: whether a commit waits for the store's server. It is as good as an
  ///   answer: to end this process would not help, and it hears presses meanwhile.
  /// - Returns: false if the thread does not answer by the deadline.
  func answers(by deadline: Instant, awaitsServer: () -> Bool) -> Bool {
    while true {
      let next = min(deadline, BootClock.now() + .milliseconds(100))
      if sign.comes(by: next, ask: { _ = works.put(.answer) }) || awaitsServer() { return true }
      guard BootClock.now() < deadline else { return false }
    }
  }

  func start() throws(IOFailure) -> BlockingThread {
    try BlockingThread(name: "commit") { [self] in loop() }
  }

  /// The thread ends when all that waits is durable.
  func stop() { works.close() }

  private typealias Waiting = (batch: CommitBatch, runner: CoreRunner)

  private func loop() {
    var works: [Work] = []
    var sides = MoveSides<Waiting>()
    while self.works.take(into: &works) {
      var batches: [Waiting] = []
      for work in works {
        switch work {
        case .batch(let batch, let runner):
          batches += batch.move.map { sides.add((batch, runner), of: $0) } ?? [(batch, runner)]
        case .answer: sign.give()
        }
        if batches.count >= Self.together { perform(&batches) }
      }
      perform(&batches)
    }
  }

  /// Behind an erasure what is left of the account is removed, which may take seconds: no other
  /// batch that has come by now waits for that.
  private func perform(_ batches: inout [Waiting]) {
    let isErasure = { (work: Waiting) in
      work.batch.changes.erasesAccount && work.batch.move == nil
    }
    let erasures = batches.filter(isErasure)
    if !erasures.isEmpty { batches.removeAll(where: isErasure) }
    commit(batches)
    for erasure in erasures { commit([erasure]) }
    batches.removeAll(keepingCapacity: true)
  }

  private func commit(_ batches: [Waiting]) {
    guard !batches.isEmpty else { return }
    let ends = commitBatches(
      batches.map { AlertStore.Batch(store: $0.runner.store, changes: $0.batch.changes) })
    for ((batch, runner), end) in zip(batches, ends) { runner.committed(batch, end) }
  }
}
