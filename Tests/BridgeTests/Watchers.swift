import Bridge
import Synchronization

final class Watchers: Sendable {
  private let all = Mutex<[@Sendable (BridgeEvent) -> Void]>([])

  func add(_ watcher: @escaping @Sendable (BridgeEvent) -> Void) {
    all.withLock { $0.append(watcher) }
  }

  func tell(_ event: BridgeEvent) {
    for watcher in all.withLock({ $0 }) { watcher(event) }
  }
}
