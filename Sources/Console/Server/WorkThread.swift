import FobBase
import SerialIO
import Synchronization

/// A thread for what takes long or waits for a disk, with a bounded queue: neither the pool of
/// Swift's concurrency nor an event loop waits for it.
final class WorkThread: Sendable {
  private struct Queue {
    var work: [@Sendable () -> Void] = []
    var isClosed = false
  }

  private let name: String
  private let limit: Int
  private let queue = Mutex(Queue())
  private let signal: EventSignal
  private let thread = Mutex<BlockingThread?>(nil)

  init(name: String, limit: Int) throws(IOFailure) {
    self.name = name
    self.limit = limit
    signal = try EventSignal()
    let started = try BlockingThread(name: name) { [self] in loop() }
    thread.withLock { $0 = started }
  }

  /// False when the queue is full or closed: then it will not run.
  func put(_ work: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = queue.withLock { queue in
      guard !queue.isClosed, queue.work.count < limit else { return false }
      queue.work.append(work)
      return true
    }
    if isTaken { signal.signal() }
    return isTaken
  }

  func run<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let isTaken = put { continuation.resume(with: Result { try work() }) }
      if !isTaken { continuation.resume(throwing: Problem.busy("requests")) }
    }
  }

  /// What waits is still done.
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
      let (work, isClosed) = queue.withLock { queue in
        defer { queue.work = [] }
        return (queue.work, queue.isClosed)
      }
      for work in work { work() }
      if isClosed { return }
      if work.isEmpty { _ = try? Syscall.poll(signal.descriptor, for: 1) }
    }
  }
}
