import FobBase
import SerialIO
import Synchronization

/// When a stream wrote last, and since when a write waits.
final class StreamPulse: Sendable {
  private struct State {
    var wroteAt: Instant
    var waitsSince: Instant?
    var isSlow = false
  }

  private let state = Mutex(State(wroteAt: BootClock.now()))

  func beginWrite() { state.withLock { $0.waitsSince = BootClock.now() } }

  func endWrite() {
    state.withLock { state in
      state.waitsSince = nil
      state.wroteAt = BootClock.now()
    }
  }

  /// True once, when a write has waited for longer than that.
  func becameSlow(after patience: Interval) -> Bool {
    state.withLock { state in
      guard !state.isSlow, let since = state.waitsSince, BootClock.now() - since > patience else {
        return false
      }
      state.isSlow = true
      return true
    }
  }

  var isSlow: Bool { state.withLock { $0.isSlow } }

  func isQuiet(for interval: Interval) -> Bool {
    state.withLock { $0.waitsSince == nil && BootClock.now() - $0.wroteAt >= interval }
  }
}
