import Synchronization

/// A client's subscriptions, one for each keychain. No event passes before the client was told that
/// it hears, and none is missed from then on.
final class SubscriptionSet: Sendable {
  private let subscriptions = Mutex<[EventSubscription]>([])

  /// False if a subscription is not to be had.
  func begin(_ subscribe: () -> [EventSubscription]?) -> Bool {
    subscriptions.withLock { subscriptions in
      guard let begun = subscribe() else { return false }
      subscriptions = begun
      return true
    }
  }

  func passing(_ send: () -> Void) {
    subscriptions.withLock { _ in send() }
  }

  func end() {
    // Let go of outside the lock: a subscription holds the stream, which ends with it.
    let ended = subscriptions.withLock { subscriptions in
      defer { subscriptions = [] }
      return subscriptions
    }
    _ = consume ended
  }
}
