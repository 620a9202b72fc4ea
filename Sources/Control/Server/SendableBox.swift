import SerialIO
import Synchronization

/// Carries the listener into the thread: a closure that may run twice cannot own it.
final class SendableBox: Sendable {
  private let listener: Mutex<UnixListener?>

  init(_ listener: consuming UnixListener) {
    self.listener = Mutex(consume listener)
  }

  func take() -> UnixListener? { listener.withLock { $0.take() } }
}
