import FobBase
import SerialIO
import Synchronization
import Transport

/// Watches for keychains with udev on its own thread, has each opened once, and asks devices that
/// may be one.
final class KeychainFinder: Sendable {
  private let watch: HotplugMonitor
  private let signal: EventSignal
  private let isStopping = Atomic(false)
  private let thread = Mutex<BlockingThread?>(nil)
  /// Of devices that were asked, not handed in yet.
  private let answers = Mutex<[(AttachedDevice, KeychainInquiry.Answer)]>([])

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

  /// Says HELLO at a device's port, on a thread of its own: another keychain that is plugged in
  /// meanwhile does not wait.
  func ask(_ device: AttachedDevice) {
    BlockingThread.run(named: "inquiry") { [self] in
      let answer = KeychainInquiry.answer(at: device.node, device.settings, AlertBridge.software)
      answers.withLock { $0.append((device, answer)) }
      signal.signal()
    }
  }

  private func find(_ discovered: DiscoveredDevices, _ perform: (DiscoveredDevices.Effect) -> Void)
  {
    var discovered = discovered
    while true {
      // Cleared first, so that an answer or an end after the look at it still ends the wait.
      signal.clear()
      guard !isStopping.load(ordering: .acquiring) else { return }
      for change in watch.takeChanges() {
        for effect in discovered.handle(change) { perform(effect) }
      }
      for (device, answer) in answers.withLock({ answers in
        defer { answers = [] }
        return answers
      }) {
        for effect in discovered.answered(device, answer) { perform(effect) }
      }
      try? Syscall.awaitEither(watch.descriptor, signal.descriptor, until: watch.nextLook)
    }
  }
}
