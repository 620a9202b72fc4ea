import Synchronization

/// A client's subscription. No event passes before the client was told that it hears, and none is
/// missed from then on.
final class Hearing: Sendable {
  private let subscription = Mutex<EventSubscription?>(nil)

  /// False if there is no subscription to be had.
  func begin(_ subscribe: () -> EventSubscription?) -> Bool {
    subscription.withLock { subscription in
      subscription = subscribe()
      return subscription != nil
    }
  }

  func passing(_ send: () -> Void) {
    subscription.withLock { _ in send() }
  }

  func end() {
    // Let go of outside the lock: the subscription holds the stream, which ends with it.
    let ended = subscription.withLock { subscription in
      defer { subscription = nil }
      return subscription
    }
    _ = consume ended
  }
}
