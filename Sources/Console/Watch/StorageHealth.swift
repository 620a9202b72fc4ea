import AlertCore
import FobBase
import Synchronization

/// What the core says of its store to whoever asks, without a token: asked of the core a few times
/// a second, since a status waits for what decides about presses.
final class StorageHealth: Sendable {
  private static let holds = Interval.milliseconds(250)

  private let last = Mutex<(failure: String?, at: Instant)?>(nil)

  func storageFailure(of core: any Core, at now: Instant) -> String? {
    last.withLock { last in
      if let last, now - last.at < Self.holds { return last.failure }
      let failure = core.status.storageFailure
      last = (failure, now)
      return failure
    }
  }
}
