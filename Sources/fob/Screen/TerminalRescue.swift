import CLinux
import Glibc
import Synchronization

/// Brings a terminal back from a full-screen view, however the process ends: cursor, main screen,
/// echo, and what was written to standard error meanwhile. Safe in a signal handler.
enum TerminalRescue {
  /// No colours, text wraps, the cursor is seen, the main screen.
  static let leaving: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
  /// The alternate screen, no cursor, no wrapping.
  static let entering: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l"
  /// Bytes of standard error that are kept; what comes behind them is lost.
  private static let maxErrors = 1 << 18

  private struct Saved {
    var mode = termios()
    /// The terminal, without waiting.
    var output: Int32 = -1
    /// Standard error as it was, and what stands in its place; -1: it is no terminal.
    var errors: Int32 = -1
    var kept: Int32 = -1
  }

  private static let isArmed = Atomic(false)
  private static let isInstalled = Atomic(false)
  // Written only while it is not armed, and read only by the one thread that has disarmed it.
  nonisolated(unsafe) private static let saved = {
    let saved = UnsafeMutablePointer<Saved>.allocate(capacity: 1)
    saved.initialize(to: Saved())
    return saved
  }()

  /// From now on `restore` brings back what there is now.
  /// - Parameter output: the terminal, as a file that is written without waiting.
  static func arm(_ mode: termios, _ output: Int32) {
    guard !isArmed.load(ordering: .acquiring) else { return }
    (saved.pointee.mode, saved.pointee.output) = (mode, output)
    keepErrors()
    if !isInstalled.exchange(true, ordering: .relaxed) {
      CrashHandler.install(quits: true) { TerminalRescue.restore() }
    }
    isArmed.store(true, ordering: .releasing)
  }

  /// Does nothing where there is nothing to bring back.
  /// - Parameter screen: false where the screen was left already.
  static func restore(screen: Bool = true) {
    guard isArmed.exchange(false, ordering: .acquiringAndReleasing) else { return }
    tcsetattr(STDIN_FILENO, TCSANOW, &saved.pointee.mode)
    if screen {
      startOutput()
      guard put(leaving.utf8Start, leaving.utf8CodeUnitCount) else { return }
    }
    giveErrors()
  }

  /// A process that crashes has to end: for a terminal that nobody reads it waits a moment only.
  /// - Returns: whether all was taken.
  private static func put(_ bytes: UnsafeRawPointer, _ count: Int) -> Bool {
    var done = 0
    while done < count {
      let taken = write(saved.pointee.output, bytes + done, count - done)
      if taken > 0 {
        done += taken
        continue
      }
      var polled = pollfd(fd: saved.pointee.output, events: Int16(POLLOUT), revents: 0)
      guard errno == EAGAIN, poll(&polled, 1, 200) == 1 else { return false }
    }
    return true
  }

  /// Lets output go on that Ctrl-S has stopped: Linux starts only what this call has stopped.
  static func startOutput() {
    tcflow(STDOUT_FILENO, TCOOFF)
    tcflow(STDOUT_FILENO, TCOON)
  }

  /// Libraries and Swift's runtime write where they want: a screen would be full of it.
  private static func keepErrors() {
    guard isatty(STDERR_FILENO) == 1 else { return }
    let kept = clinux_bounded_file(maxErrors)
    let errors = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
    guard kept >= 0, errors >= 0 else {
      for number in [kept, errors] where number >= 0 { close(number) }
      return
    }
    dup2(kept, STDERR_FILENO)
    (saved.pointee.errors, saved.pointee.kept) = (errors, kept)
  }

  private static func giveErrors() {
    let (errors, kept) = (saved.pointee.errors, saved.pointee.kept)
    guard errors >= 0 else { return }
    (saved.pointee.errors, saved.pointee.kept) = (-1, -1)
    dup2(errors, STDERR_FILENO)
    close(errors)
    let end = lseek(kept, 0, SEEK_CUR)
    withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 1) { buffer in
      var at: off_t = 0
      while at < end {
        let count = pread(kept, buffer.baseAddress, min(buffer.count, Int(end - at)), at)
        guard count > 0, put(buffer.baseAddress!, count) else { break }
        at += off_t(count)
      }
    }
    close(kept)
  }
}
