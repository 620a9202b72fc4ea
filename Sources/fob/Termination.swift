import CLinux
import FobBase
import Glibc
import SerialIO

/// Ctrl-C and SIGTERM as something to wait for. Made before any thread is started, so that no
/// thread takes the signals.
struct Termination: ~Copyable {
  private let signals: OwnedDescriptor

  init() throws(IOFailure) {
    let wanted = [SIGINT, SIGTERM, SIGHUP]
    signals = OwnedDescriptor(
      owning: try Syscall.run("wait for", "signals") {
        clinux_signalfd(wanted, Int32(wanted.count))
      }, path: "signals")
  }

  var descriptor: Int32 { signals.number }

  /// Waits for a signal, or until the deadline.
  /// - Returns: true when one came.
  func wait(until deadline: Instant? = nil) -> Bool {
    ((try? Syscall.poll(signals.number, for: POLLIN, until: deadline)) ?? 0) != 0
  }
}
