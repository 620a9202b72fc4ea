import FobBase
import SerialIO
import Synchronization

/// A thread for work that takes long or waits for a disk, with a bounded queue: neither Swift's
/// pool nor an event loop waits for it.
final class WorkThread: Sendable {
  private struct Queue {
    var urgent: [@Sendable () -> Void] = []
    var work: [@Sendable () -> Void] = []
    var isClosed = false

    /// Takes one at a time: urgent work waits only for the piece that is under way.
    mutating func next() -> (@Sendable () -> Void)? {
      if !urgent.isEmpty { return urgent.removeFirst() }
      return work.isEmpty ? nil : work.removeFirst()
    }
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

  /// - Parameter isUrgent: runs before all other work; each kind has its own limit.
  /// - Returns: false if the queue is full or closed: then the work will not run.
  func put(_ work: @escaping @Sendable () -> Void, isUrgent: Bool = false) -> Bool {
    let limit = limit
    func add(to kind: inout [@Sendable () -> Void]) -> Bool {
      guard kind.count < limit else { return false }
      kind.append(work)
      return true
    }
    let isTaken = queue.withLock { queue in
      guard !queue.isClosed else { return false }
      return isUrgent ? add(to: &queue.urgent) : add(to: &queue.work)
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
