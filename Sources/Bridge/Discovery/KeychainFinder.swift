import FobBase
import SerialIO
import Synchronization
import Transport

/// Looks for keychains as udev shows them, on a thread of its own, and has each opened once.
final class KeychainFinder: Sendable {
  private let watch: HotplugMonitor
  private let signal: EventSignal
  private let isStopping = Atomic(false)
  private let thread = Mutex<BlockingThread?>(nil)

  init() throws(IOFailure) {
    watch = try HotplugMonitor(.port)
    signal = try EventSignal()
  }

  /// - Parameter perform: called on the finder's thread.
  func start(
    _ discovered: DiscoveredDevices, perform: @escaping @Sendable (DiscoveredDevices.Effect) -> Void
  ) throws(IOFailure) {
    let thread = try BlockingThread(name: "finder") { [self] in find(discovered, perform) }
    self.thread.withLock { $0 = thread }
  }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    signal.signal()
    _ = thread.withLock { $0.take() }?.join(within: .seconds(1))
  }

  private func find(_ discovered: DiscoveredDevices, _ perform: (DiscoveredDevices.Effect) -> Void)
  {
    var discovered = discovered
    while !isStopping.load(ordering: .acquiring) {
      for change in watch.takeChanges() {
        for effect in discovered.handle(change) { perform(effect) }
      }
      try? Syscall.awaitEither(watch.descriptor, signal.descriptor, until: watch.nextLook)
    }
  }
}
