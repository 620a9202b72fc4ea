import Synchronization

/// Passes each event of a bridge on to everyone who watches it.
public final class Watchers: Sendable {
  private let all = Mutex<[@Sendable (BridgeEvent) -> Void]>([])

  public init() {}

  /// - Parameter watcher: called in order on the bridge's event thread; it must not wait.
  public func add(_ watcher: @escaping @Sendable (BridgeEvent) -> Void) {
    all.withLock { $0.append(watcher) }
  }

  public func tell(_ event: BridgeEvent) {
    for watcher in all.withLock({ $0 }) { watcher(event) }
  }
}
