package import SerialIO
import Synchronization

/// A bounded queue into one thread, which sleeps while the queue is empty.
package final class BoundedQueue<Element: Sendable>: Sendable {
  private let queue = Mutex<(elements: [Element], isClosed: Bool)>(([], false))
  private let signal: EventSignal
  private let limit: Int

  /// `limit` elements may wait; throws if the process has no descriptor left.
  package init(limit: Int) throws(IOFailure) {
    self.limit = limit
    signal = try EventSignal()
  }

  /// Adds an element and never waits. False if the queue is full or closed; then nothing was added.
  package func put(_ element: Element) -> Bool {
    let (isTaken, isFirst) = queue.withLock { queue in
      guard !queue.isClosed, queue.elements.count < limit else { return (false, false) }
      queue.elements.append(element)
      return (true, queue.elements.count == 1)
    }
    // Signals for the first element only: the reader takes all of them with one system call.
    if isFirst { signal.signal() }
    return isTaken
  }

  /// Waits for an element, then replaces `elements` by everything in the queue, in order. The
  /// array's storage is used again.
  /// - Returns: false if the queue is closed and empty.
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

  /// Refuses further elements and wakes the reader, which still gets those that wait.
  package func close() {
    queue.withLock { $0.isClosed = true }
    signal.signal()
  }
}
