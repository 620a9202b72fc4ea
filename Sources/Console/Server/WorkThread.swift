import AlertCore
import Bridge
import FobBase
import SerialIO
import Synchronization

/// Whose work waits for a `WorkThread`.
enum WorkOwner: Hashable, Sendable {
  case account(AccountNumber)
  /// Somebody without a token or session asks for an account: a log-in, a link in a mail. They
  /// keep only each other waiting.
  case visitor(of: AccountNumber)
}

/// A thread for work that takes long or waits for a disk, with a bounded queue: neither Swift's
/// pool nor an event loop waits for it. Owners take turns, so that nobody keeps another waiting for
/// more than a piece or two.
final class WorkThread: Sendable {
  private typealias Work = @Sendable () -> Void

  private struct Queue {
    var urgent = TurnQueue<WorkOwner, Work>()
    var common = TurnQueue<WorkOwner, Work>()
    var wasUrgent = false
    var isClosed = false

    /// Takes urgent work first, and between two pieces of it one of the other: who floods with
    /// urgent work keeps no other from logging in.
    mutating func next() -> Work? {
      let isCommonDue = wasUrgent && !common.isEmpty
      if !isCommonDue, let work = urgent.takeNext() {
        wasUrgent = true
        return work
      }
      wasUrgent = false
      return common.takeNext()
    }
  }

  private let name: String
  private let limit: Int
  private let queue = Mutex(Queue())
  private let signal: EventSignal
  private let thread = Mutex<BlockingThread?>(nil)

  /// - Parameter limit: how many pieces of each kind may wait of one owner.
  init(name: String, limit: Int) throws(IOFailure) {
    self.name = name
    self.limit = limit
    signal = try EventSignal()
    let started = try BlockingThread(name: name) { [self] in loop() }
    thread.withLock { $0 = started }
  }

  /// - Parameter isUrgent: runs before other work; each kind has its own limit.
  /// - Returns: false if the owner has too much waiting, or the queue is closed: then the work will
  ///   not run.
  func put(
    of owner: WorkOwner, isUrgent: Bool = false, _ work: @escaping @Sendable () -> Void
  ) -> Bool {
    let limit = limit
    let isTaken = queue.withLock { queue in
      guard !queue.isClosed else { return false }
      return isUrgent
        ? queue.urgent.put(work, of: owner, limit: limit)
        : queue.common.put(work, of: owner, limit: limit)
    }
    if isTaken { signal.signal() }
    return isTaken
  }

  func run<Value: Sendable>(
    of owner: WorkOwner, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let isTaken = put(of: owner) { continuation.resume(with: Result { try work() }) }
      if !isTaken { continuation.resume(throwing: Problem.busy("requests")) }
    }
  }

  /// Finishes the waiting work, then ends the thread.
  func stop() {
    queue.withLock { $0.isClosed = true }
    signal.signal()
    if let thread = thread.withLock({ $0.take() }), !thread.isCurrent {
      _ = thread.join(within: .seconds(1))
    }
  }

  private func loop() {
    while true {
      signal.clear()
      let (work, isClosed) = queue.withLock { queue in (queue.next(), queue.isClosed) }
      if let work {
        work()
      } else if isClosed {
        return
      } else {
        _ = try? Syscall.poll(signal.descriptor, for: 1)
      }
    }
  }
}
