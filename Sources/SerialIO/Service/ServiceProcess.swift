import CLinux
import Glibc

/// What a process that runs for long, and has secrets, asks of the system for itself.
public enum ServiceProcess {
  /// No core is dumped and no debugger of this user attaches; a crash ends the process at once.
  ///
  /// Swift's runtime has set handlers for faults that write a backtrace first: that took 10 to
  /// more than 90 s, in which nobody starts it again. They are taken away here and not by
  /// SWIFT_BACKTRACE, which the runtime reads before we run.
  public static func begin() {
    _ = clinux_forbid_dumps()
    for fault in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      signal(fault, SIG_DFL)
    }
  }
}
