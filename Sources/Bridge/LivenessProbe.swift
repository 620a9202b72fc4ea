import FobBase
import Glibc
import SerialIO
import Synchronization

/// Asks a thread whether it still turns. A second question before the answer waits for the same
/// answer.
final class LivenessProbe: Sendable {
  private let given: EventSignal
  private let isAsked = Atomic(false)

  init() throws(IOFailure) { given = try EventSignal() }

  /// Called by the asked thread.
  func give() {
    isAsked.store(false, ordering: .releasing)
    given.signal()
  }

  /// - Parameter ask: makes that thread call `give` soon; not called again before it has.
  /// - Returns: false if no answer comes by the deadline.
  func comes(by deadline: Instant, ask: () -> Void) -> Bool {
    given.clear()
    if !isAsked.exchange(true, ordering: .acquiringAndReleasing) { ask() }
    return ((try? Syscall.poll(given.descriptor, for: POLLIN, until: deadline)) ?? 0) != 0
  }
}
