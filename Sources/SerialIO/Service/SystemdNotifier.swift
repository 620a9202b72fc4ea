import CLinux
import Dispatch
import Glibc

/// Tells the program that started this process that it is ready (sd_notify(3)), without libsystemd.
public enum SystemdNotifier {
  /// Writes `ready\n` to `readyFD` where given, and `READY=1` to `$NOTIFY_SOCKET` where set.
  public static func notify(readyFD: Int32? = nil) throws(IOFailure) {
    if let readyFD {
      let line: StaticString = "ready\n"
      _ = try Syscall.run("write", "descriptor \(readyFD)") {
        write(readyFD, line.utf8Start, line.utf8CodeUnitCount)
      }
    }
    try tell("READY=1")
  }

  /// Sends `STOPPING=1` to `$NOTIFY_SOCKET` where set.
  public static func stopping() throws(IOFailure) { try tell("STOPPING=1") }

  /// Sends `WATCHDOG=1` to `$NOTIFY_SOCKET` where set.
  static func alive() throws(IOFailure) { try tell("WATCHDOG=1") }

  private static func tell(_ state: StaticString) throws(IOFailure) {
    guard let socket = getenv("NOTIFY_SOCKET"), socket.pointee != 0 else { return }
    try send(state, to: String(cString: socket))
  }

  /// - Parameter path: a path, or an abstract name that begins with `@`.
  static func send(_ state: StaticString, to path: String) throws(IOFailure) {
    let address = try UnixAddress(path.hasPrefix("@") ? "\0" + path.dropFirst() : path)
    let socket = try UnixSocket.make(SOCK_DGRAM, path: path)
    let number = socket.number
    _ = try address.withPointer { (pointer, length) throws(IOFailure) in
      try Syscall.run("write", path) {
        sendto(
          number, state.utf8Start, state.utf8CodeUnitCount, Int32(MSG_NOSIGNAL), pointer,
          length)
      }
    }
  }
}

/// How a long-running process with secrets sets itself up.
public enum ServiceProcess {
  /// Forbids core dumps and debuggers of this user, and makes a crash end the process at once.
  ///
  /// Swift's runtime has set fault handlers that write a backtrace first: that took 10 to more than
  /// 90 s, in which no manager restarts the process. They are removed here and not by
  /// SWIFT_BACKTRACE, which the runtime reads before we run.
  public static func begin() {
    _ = clinux_forbid_dumps()
    for fault in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      signal(fault, SIG_DFL)
    }
  }

  /// Checks that the system gives a core what it needs, before it begins.
  /// - Throws: `IOFailure` with a hint.
  public static func requireLimits() throws(IOFailure) {
    try DescriptorLimit.require(DescriptorLimit.ofService)
    try ThreadLimit.require(ThreadLimit.ofService)
    // The library behind Swift's tasks opens three descriptors at its first use, and ends the
    // process where it gets none.
    let isOpen = try OneShot<Void>()
    DispatchQueue.global().async { isOpen.open(with: ()) }
    _ = try isOpen.pass()
  }
}
