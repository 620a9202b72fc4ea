import FobBase
import Glibc
import SerialIO
import Synchronization

/// A thread's answer that it is there. One that asks waits; whoever asks again before it has
/// answered waits for the same.
final class LivenessProbe: Sendable {
  private let given: EventSignal
  private let isAsked = Atomic(false)

  init() throws(IOFailure) { given = try EventSignal() }

  /// Called by the thread that is asked.
  func give() {
    isAsked.store(false, ordering: .releasing)
    given.signal()
  }

  /// - Parameter ask: has that thread call `give` soon; not called again before it has.
  /// - Returns: false where it has not by the deadline.
  func comes(by deadline: Instant, ask: () -> Void) -> Bool {
    given.clear()
    if !isAsked.exchange(true, ordering: .acquiringAndReleasing) { ask() }
    return ((try? Syscall.poll(given.descriptor, for: POLLIN, until: deadline)) ?? 0) != 0
  }
}
