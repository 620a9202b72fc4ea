package import SerialIO
import Synchronization

/// A bounded queue into one thread, which sleeps while it is empty.
package final class BoundedQueue<Element: Sendable>: Sendable {
  private let queue = Mutex<(elements: [Element], isClosed: Bool)>(([], false))
  private let signal: EventSignal
  private let limit: Int

  package init(limit: Int) throws(IOFailure) {
    self.limit = limit
    signal = try EventSignal()
  }

  /// False when the queue is full or closed; then nothing was added.
  package func put(_ element: Element) -> Bool {
    let (isTaken, isFirst) = queue.withLock { queue in
      guard !queue.isClosed, queue.elements.count < limit else { return (false, false) }
      queue.elements.append(element)
      return (true, queue.elements.count == 1)
    }
    // Whoever takes the first takes all: one system call for what one turn leads to.
    if isFirst { signal.signal() }
    return isTaken
  }

  /// Everything that waits, in order, in place of what is in `elements`, whose room is used again.
  /// Waits for the first.
  /// - Returns: false when closed and empty.
  package func take(into elements: inout [Element]) -> Bool {
    elements.removeAll(keepingCapacity: true)
    while true {
      signal.clear()
      let isClosed = queue.withLock { queue in
        swap(&queue.elements, &elements)
        return queue.isClosed
      }
      if !elements.isEmpty { return true }
      if isClosed { return false }
      _ = try? Syscall.poll(signal.descriptor, for: 1)
    }
  }

  var isEmpty: Bool { queue.withLock { $0.elements.isEmpty } }

  package func close() {
    queue.withLock { $0.isClosed = true }
    signal.signal()
  }
}
