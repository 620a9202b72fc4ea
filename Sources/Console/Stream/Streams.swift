import FobBase
import Synchronization

/// The event streams that are open, and what became of those that were dropped.
final class Streams: Sendable {
  enum End: String, Sendable, CaseIterable {
    /// The client has gone.
    case left
    /// A write waited for too long.
    case slow
    case stopping
    /// The store could not be read.
    case failed
  }

  let patience: Interval
  let heartbeat: Interval
  private let limit: Int
  private let state = Mutex(State())

  private struct State {
    var count = 0
    var ended: [End: Int] = [:]
  }

  init(limit: Int, patience: Interval, heartbeat: Interval) {
    self.limit = limit
    self.patience = patience
    self.heartbeat = heartbeat
  }

  var count: Int { state.withLock { $0.count } }
  var ended: [End: Int] { state.withLock { $0.ended } }

  /// False when there are as many as there may be.
  func begin() -> Bool {
    state.withLock { state in
      guard state.count < limit else { return false }
      state.count += 1
      return true
    }
  }

  func end(_ reason: End) {
    state.withLock { state in
      state.count -= 1
      state.ended[reason, default: 0] += 1
    }
  }
}
