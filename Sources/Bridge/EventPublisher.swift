import FobBase
import Glibc
import SerialIO
import Synchronization

/// Tells a watcher about events, in order, on its own thread. Events that are too many for it are
/// counted, and their number is told.
final class EventPublisher: Sendable {
  private let events: BoundedQueue<BridgeEvent>
  private let lost = Atomic(0)
  private let watcher: @Sendable (BridgeEvent) -> Void
  private let thread = Mutex<BlockingThread?>(nil)
  private let isStopping = Atomic(false)
  /// How long it rests behind what it has told, µs. Thousands of keychains report each second where
  /// they are: whoever decides their presses would wake this thread for each of them.
  private static let rest: UInt32 = 2_000

  init(_ watcher: @escaping @Sendable (BridgeEvent) -> Void) throws(IOFailure) {
    self.watcher = watcher
    events = try BoundedQueue(limit: 16_384)
  }

  func start() throws(IOFailure) {
    let thread = try BlockingThread(name: "events") { [self] in loop() }
    self.thread.withLock { $0 = thread }
  }

  /// Ends the thread; the watcher gets the earlier events first.
  func stop(within patience: Interval) {
    isStopping.store(true, ordering: .releasing)
    events.close()
    guard let thread = thread.withLock({ $0.take() }), !thread.isCurrent else { return }
    _ = thread.join(within: patience)
  }

  func tell(_ event: BridgeEvent) {
    if !events.put(event), !isStopping.load(ordering: .acquiring) {
      lost.add(1, ordering: .relaxed)
    }
  }

  func notice(_ level: BridgeEvent.Notice.Level, _ text: String) { tell(.notice(level, text)) }

  private func loop() {
    var told: [BridgeEvent] = []
    while events.take(into: &told) {
      for event in told { watcher(event) }
      let lost = lost.exchange(0, ordering: .relaxed)
      if lost > 0 {
        notice(.error, "\(lost) events went untold: the watcher is too slow")
      }
      usleep(Self.rest)
    }
  }
}

/// Passes each event of a bridge on to all of its watchers.
public final class Watchers: Sendable {
  private let all = Mutex<[@Sendable (BridgeEvent) -> Void]>([])
  private let filter = Mutex<Filter?>(nil)

  /// A closure that is stored by itself is wrapped anew each time that a mutex hands it out, until
  /// the calls of its wraps overflow the stack.
  private struct Filter {
    let hides: @Sendable (BridgeEvent) -> Bool
  }

  /// Begins without watchers: events are dropped until one is added.
  public init() {}

  /// Adds a watcher for later events.
  /// - Parameter watcher: called in order on the bridge's event thread; it must not wait.
  public func add(_ watcher: @escaping @Sendable (BridgeEvent) -> Void) {
    all.withLock { $0.append(watcher) }
  }

  /// Names the events that no watcher is told from now on.
  /// - Parameter isHidden: called as a watcher is.
  public func hide(_ isHidden: @escaping @Sendable (BridgeEvent) -> Bool) {
    filter.withLock { $0 = Filter(hides: isHidden) }
  }

  /// Calls every watcher on the caller's thread, in the order in which they were added.
  public func tell(_ event: BridgeEvent) {
    if let filter = filter.withLock({ $0 }), filter.hides(event) { return }
    for watcher in all.withLock({ $0 }) { watcher(event) }
  }
}
