import CLinux
import Glibc

/// Wakes a thread that polls, from any thread: an eventfd. Signals that nobody has cleared yet
/// count as one.
public struct EventSignal: ~Copyable, Sendable {
  private let event: OwnedDescriptor

  public init() throws(IOFailure) {
    event = OwnedDescriptor(
      owning: try Syscall.run("create", "an eventfd") { clinux_eventfd() }, path: "an eventfd")
  }

  /// Readable from `signal()` to `clear()`.
  public var descriptor: Int32 { event.number }

  public func signal() {
    var one: UInt64 = 1
    // EAGAIN means a full counter: it is signalled already.
    _ = Glibc.write(event.number, &one, 8)
  }

  public func clear() {
    var count: UInt64 = 0
    _ = Glibc.read(event.number, &count, 8)
  }
}
