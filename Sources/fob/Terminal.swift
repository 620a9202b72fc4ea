import FobBase
import Foundation
import Glibc
import SerialIO
import Synchronization

/// Standard output and error: whole lines, never interleaved.
enum Terminal {
  private struct State {
    /// Standard output carries what a program or a file was asked for, alone.
    var isKept = false
    var failure: IOFailure?
    /// A row of progress stands on standard error.
    var hasProgress = false
    /// Gets words for a person while a view has the screen.
    var view: (@Sendable (_ words: String, _ isError: Bool) -> Void)?
    /// Writes in place of who prints.
    var printer: LinePrinter?
  }

  private static let state = Mutex(State())

  static let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  static let hasColour = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil
  /// Whether a row can be rewritten in place on standard output, or on standard error.
  static let rewrites = isatty(STDOUT_FILENO) == 1 && !isDumb
  static let hasProgress = isatty(STDERR_FILENO) == 1 && !isDumb

  private static var isDumb: Bool {
    ["", "dumb"].contains(getenv("TERM").map { String(cString: $0) } ?? "")
  }

  /// Why standard output took something not; nil where it has taken all.
  static var failure: IOFailure? { state.withLock { $0.failure } }

  /// From now on words for a person go to standard error.
  /// - Throws: `Failure` where that was asked for already: two would be mixed.
  static func keepOutput() throws(Failure) {
    let wasKept = state.withLock { state in
      defer { state.isKept = true }
      return state.isKept
    }
    guard !wasKept else {
      throw Failure(.usage, "standard output takes one thing only: --json, or one file named -")
    }
  }

  /// From now on nobody who prints waits for whoever reads: for what carries alarms. Signals are
  /// held already, for a thread is started.
  static func printBehind() throws(IOFailure) {
    let printer = try LinePrinter { failure in state.withLock { note(failure, &$0) } }
    state.withLock { $0.printer = printer }
  }

  /// Waits until all that was said is written, a second at most: before the end of the process, and
  /// before others are told that it is ready.
  static func flush() { state.withLock { $0.printer }?.flush(within: .seconds(1)) }

  /// Words for a person.
  static func line(_ text: String) { write(text + "\n") }
  /// As they are, without a newline of their own.
  static func write(_ text: String) {
    state.withLock { state in
      if let view = state.view { return view(text, false) }
      put(text, state.isKept ? STDERR_FILENO : STDOUT_FILENO, &state)
    }
  }
  /// A line of what was asked for: on standard output, whatever else goes elsewhere.
  static func output(_ line: String) {
    state.withLock { put(line + "\n", STDOUT_FILENO, &$0) }
  }
  static func error(_ text: String) {
    state.withLock { state in
      if let view = state.view { return view(text, true) }
      put(text + "\n", STDERR_FILENO, &state)
    }
  }

  /// Words for a person go to a view of the screen from now on, which does not wait and writes
  /// nothing here; nil: they are printed again.
  static func divert(_ view: (@Sendable (_ words: String, _ isError: Bool) -> Void)?) {
    state.withLock { $0.view = view }
  }

  /// A question, whose answer is typed behind it.
  static func ask(_ text: String) { state.withLock { put(text, STDERR_FILENO, &$0) } }

  /// One row on standard error, in place of the one before; nil: none. What is printed next takes
  /// it away.
  static func progress(_ row: String?) {
    state.withLock { state in
      takeProgress(&state)
      // A terminal that is stopped by Ctrl-S would stop the work, too.
      guard let row, takesProgress else { return }
      put(TextColumns.fitted(row, to: size(of: STDERR_FILENO).columns - 1), STDERR_FILENO, &state)
      state.hasProgress = true
    }
  }

  private static func takeProgress(_ state: inout State) {
    guard state.hasProgress, takesProgress else { return }
    state.hasProgress = false
    put("\r\u{1B}[K", STDERR_FILENO, &state)
  }

  private static var takesProgress: Bool {
    let events = try? Syscall.poll(STDERR_FILENO, for: POLLOUT, until: Instant(microseconds: 0))
    return events == POLLOUT
  }

  /// Of the terminal behind a descriptor; the usual one where it does not say.
  static func size(of descriptor: Int32) -> ScreenPainter.Size {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return .usual }
    return ScreenPainter.Size(
      columns: min(Int(size.ws_col), ScreenPainter.Size.most),
      rows: min(Int(size.ws_row), ScreenPainter.Size.most))
  }

  /// For the end of the process: whoever has something to say meanwhile waits for it in vain.
  static func silenced(_ end: () -> Never) {
    // One that holds it may wait for its reader, and the end waits for nobody.
    if state.withLockIfAvailable({ state -> Never in
      takeProgress(&state)
      end()
    }) == nil {
      end()
    }
  }

  private static func put(_ text: String, _ descriptor: Int32, _ state: inout State) {
    takeProgress(&state)
    if let printer = state.printer { return printer.add(text, descriptor) }
    if let failure = LinePrinter.write(text, to: descriptor) { note(failure, &state) }
  }

  private static func note(_ failure: IOFailure, _ state: inout State) {
    if state.failure == nil { state.failure = failure }
  }
}

extension Terminal {
  /// A value as one line of JSON, keys sorted: what `--json` prints.
  static func json(_ value: some Encodable) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    output(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
