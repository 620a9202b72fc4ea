import Synchronization

/// The subscribers of a keychain's events, at most 64.
final class EmulatorEventFeed: Sendable {
  static let maxSubscribers = 64

  private struct Subscriber {
    var id: UInt64
    var wantsLight: Bool
    var take: @Sendable (EmulatorEvent) -> Void
  }

  private struct State {
    var lastID: UInt64 = 0
    var subscribers: [Subscriber] = []
  }

  private let state = Mutex(State())

  /// Nil when there are too many.
  func add(light: Bool, _ take: @escaping @Sendable (EmulatorEvent) -> Void) -> UInt64? {
    state.withLock { state in
      guard state.subscribers.count < Self.maxSubscribers else { return nil }
      state.lastID += 1
      state.subscribers.append(Subscriber(id: state.lastID, wantsLight: light, take: take))
      return state.lastID
    }
  }

  func remove(_ id: UInt64) {
    // Released outside the lock: objects that the closure holds may end here, too.
    let removed = state.withLock { state in
      let index = state.subscribers.firstIndex { $0.id == id }
      return index.map { state.subscribers.remove(at: $0) }
    }
    _ = consume removed
  }

  func publish(_ event: EmulatorEvent) {
    let subscribers = state.withLock { $0.subscribers }
    for subscriber in subscribers where event.name != .light || subscriber.wantsLight {
      subscriber.take(event)
    }
  }
}

/// A subscription to events, until it is cancelled or let go.
public final class EventSubscription: Sendable {
  private let feed: EmulatorEventFeed
  private let id: UInt64

  /// Nil when there are too many subscribers.
  init?(_ feed: EmulatorEventFeed, light: Bool, _ take: @escaping @Sendable (EmulatorEvent) -> Void)
  {
    guard let id = feed.add(light: light, take) else { return nil }
    self.feed = feed
    self.id = id
  }

  deinit { cancel() }

  /// Ends the subscription, from any thread. A call that is under way on the emulator's thread
  /// still comes to its end.
  public func cancel() { feed.remove(id) }
}
