import CLinux
import FobBase
import Glibc
import SerialIO

/// The terminal of a full-screen view: what is written to it, how large it is, and what it tells by
/// signals. Made before any thread is started, so that no thread takes the signals.
final class ScreenTerminal: Sendable {
  /// An open file of its own, so that nobody else's writes become ones that do not wait.
  private let output: OwnedDescriptor
  /// Another size, Ctrl-Z, `fg`.
  private let signals: OwnedDescriptor

  /// Whether this terminal can show a view.
  static var isPossible: Bool { Terminal.isTerminal && Terminal.rewrites }

  init() throws(IOFailure) {
    let flags = O_WRONLY | O_NOCTTY | O_NONBLOCK
    do throws(IOFailure) {
      output = try Syscall.open("/proc/self/fd/\(STDOUT_FILENO)", flags)
    } catch {
      // It may be another user's, as behind su(1).
      output = try Syscall.open("/dev/tty", flags)
    }
    let wanted = [SIGWINCH, SIGTSTP, SIGCONT]
    signals = OwnedDescriptor(
      owning: try Syscall.run("wait for", "signals") {
        clinux_signalfd(wanted, Int32(wanted.count))
      }, path: "signals")
  }

  /// Writes as much as the terminal takes.
  /// - Parameters:
  ///   - cancel: readable when it is to be given up; -1: it is not.
  ///   - deadline: nil: it is waited for.
  /// - Returns: whether all was written.
  func write(_ text: String, cancel: Int32 = -1, until deadline: Instant? = nil) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      do throws(IOFailure) {
        let taken = try rest.span.withUnsafeBytes { (bytes) throws(IOFailure) in
          try output.write(bytes)
        }
        rest = rest.dropFirst(taken ?? 0)
        if taken != nil { continue }
        var polled = [
          pollfd(fd: output.number, events: Int16(POLLOUT), revents: 0),
          pollfd(fd: cancel, events: Int16(POLLIN), revents: 0),
        ]
        let ready = try Syscall.poll(&polled, count: polled.count, until: deadline)
        guard ready > 0, polled[1].revents == 0 else { return false }
      } catch {
        return false
      }
    }
    return true
  }

  /// Where it is written, without waiting.
  var descriptor: Int32 { output.number }

  // MARK: Signals

  var signalDescriptor: Int32 { signals.number }

  /// The next signal; nil: there is none.
  func nextSignal() -> Int32? {
    let number = clinux_signalfd_next(signals.number)
    return number > 0 ? number : nil
  }

  /// Stops the process as Ctrl-Z does, and returns when it goes on.
  func stopProcess() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGTSTP)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(SIGTSTP)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// Whether what is typed is for this process; also where there is no job control.
  var isForeground: Bool {
    let group = tcgetpgrp(STDIN_FILENO)
    return group < 0 || group == getpgrp()
  }
}
