/// The right to hear events, until it is cancelled or let go.
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

  /// A call that is under way on the emulator's thread may still come to its end afterwards.
  public func cancel() { feed.remove(id) }
}
