import SerialIO
import Synchronization

/// A bounded queue into one thread, which sleeps while it is empty.
final class Mailbox<Element: Sendable>: Sendable {
  private let queue = Mutex<(elements: [Element], isClosed: Bool)>(([], false))
  private let signal: EventSignal
  private let limit: Int

  init(limit: Int) throws(IOFailure) {
    self.limit = limit
    signal = try EventSignal()
  }

  /// False when the queue is full or closed; then nothing was added.
  func put(_ element: Element) -> Bool {
    let isTaken = queue.withLock { queue in
      guard !queue.isClosed, queue.elements.count < limit else { return false }
      queue.elements.append(element)
      return true
    }
    if isTaken { signal.signal() }
    return isTaken
  }

  /// Everything that waits, in order; waits for the first. Nil when closed and empty.
  func take() -> [Element]? {
    while true {
      signal.clear()
      let (elements, isClosed) = queue.withLock { queue in
        defer { queue.elements.removeAll(keepingCapacity: true) }
        return (queue.elements, queue.isClosed)
      }
      if !elements.isEmpty { return elements }
      if isClosed { return nil }
      _ = try? Syscall.poll(signal.descriptor, for: 1)
    }
  }

  var isEmpty: Bool { queue.withLock { $0.elements.isEmpty } }

  func close() {
    queue.withLock { $0.isClosed = true }
    signal.signal()
  }
}
