import CLinux
import Glibc
import SerialIO
import Synchronization

/// Ctrl-C for commands that wait for nothing but their own work. What they made in the temporary
/// folder goes, and they end by the signal, as they would have without this.
enum Interruption {
  private static let termination = Mutex<Termination?>(nil)

  /// To be called before any thread is started.
  static func cleansUp() throws(IOFailure) {
    try termination.withLock { (held) throws(IOFailure) in held = try Termination() }
    _ = try BlockingThread(name: "signals") {
      let signal = termination.withLock { $0.take() }?.next() ?? SIGINT
      // The work that is under way fails by this, and has nothing to say any more.
      Terminal.silenced {
        ChildProgram.killAll()
        StateFolder.removeTemporary()
        end(by: signal)
      }
    }
  }

  private static func end(by signal: Int32) -> Never {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, signal)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(signal)
    // Whoever started us had it ignored.
    _exit(128 + signal)
  }
}
