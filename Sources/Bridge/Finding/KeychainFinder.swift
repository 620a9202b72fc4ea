import FobBase
import SerialIO
import Synchronization
import Transport

/// Looks for keychains as udev shows them, on a thread of its own, and has each opened once.
final class KeychainFinder: Sendable {
  private let watch: PlugWatch
  private let signal: EventSignal
  private let isStopping = Atomic(false)
  private let thread = Mutex<BlockingThread?>(nil)

  init() throws(IOFailure) {
    watch = try PlugWatch(.port)
    signal = try EventSignal()
  }

  /// - Parameter perform: called on the finder's thread.
  func start(
    _ roll: KeychainRoll, perform: @escaping @Sendable (KeychainRoll.Effect) -> Void
  ) throws(IOFailure) {
    let thread = try BlockingThread(name: "finder") { [self] in find(roll, perform) }
    self.thread.withLock { $0 = thread }
  }

  func stop() {
    isStopping.store(true, ordering: .releasing)
    signal.signal()
    _ = thread.withLock { $0.take() }?.join(within: .seconds(1))
  }

  private func find(_ roll: KeychainRoll, _ perform: (KeychainRoll.Effect) -> Void) {
    var roll = roll
    while !isStopping.load(ordering: .acquiring) {
      for change in watch.takeChanges() {
        for effect in roll.handle(change) { perform(effect) }
      }
      try? Syscall.awaitEither(watch.descriptor, signal.descriptor, until: watch.nextLook)
    }
  }
}
