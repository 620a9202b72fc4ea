import AlertCore
import SerialIO
import Synchronization

/// Messages that wait for one sink, taken one at a time by any of its threads.
final class SinkQueue: Sendable {
  private let state = Mutex<(waiting: [Notification], isClosed: Bool)>(([], false))
  private let signal: EventSignal
  private let limit: Int

  init(limit: Int) throws(IOFailure) {
    self.limit = limit
    signal = try EventSignal()
  }

  /// What waits of the same incident for the same contact gives way: nobody waits for it any more.
  /// - Returns: false when the queue is full; one that is closed takes a message and forgets it.
  func put(_ notification: Notification) -> Bool {
    let isTaken = state.withLock { state in
      guard !state.isClosed else { return true }
      state.waiting.removeAll { waiting in
        waiting.incident == notification.incident && waiting.contact.id == notification.contact.id
      }
      guard state.waiting.count < limit else { return false }
      state.waiting.append(notification)
      return true
    }
    signal.signal()
    return isTaken
  }

  /// The oldest. Waits for it; nil when closed.
  func take() -> Notification? {
    while true {
      signal.clear()
      let (taken, isClosed, hasMore) = state.withLock { state in
        let taken = state.waiting.isEmpty ? nil : state.waiting.removeFirst()
        return (taken, state.isClosed, !state.waiting.isEmpty)
      }
      // The next thread's turn: the signal that this one has cleared may have been for several.
      if hasMore || isClosed { signal.signal() }
      if isClosed || taken != nil { return taken }
      _ = try? Syscall.poll(signal.descriptor, for: 1)
    }
  }

  func close() {
    state.withLock { state in
      state.isClosed = true
      state.waiting = []
    }
    signal.signal()
  }
}
