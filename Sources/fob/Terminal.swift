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
  }

  private static let state = Mutex(State())

  static let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  static let hasColour = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil

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

  /// Words for a person.
  static func line(_ text: String) { write(text + "\n") }
  /// As they are, without a newline of their own.
  static func write(_ text: String) {
    state.withLock { put(text, $0.isKept ? STDERR_FILENO : STDOUT_FILENO, &$0) }
  }
  /// A line of what was asked for: on standard output, whatever else goes elsewhere.
  static func output(_ line: String) {
    state.withLock { put(line + "\n", STDOUT_FILENO, &$0) }
  }
  static func error(_ text: String) { state.withLock { put(text + "\n", STDERR_FILENO, &$0) } }

  /// A question, whose answer is typed behind it.
  static func ask(_ text: String) { state.withLock { put(text, STDERR_FILENO, &$0) } }

  /// For the end of the process: whoever has something to say meanwhile waits for it in vain.
  static func silenced(_ end: () -> Never) {
    // One that holds it may wait for its reader, and the end waits for nobody.
    if state.withLockIfAvailable({ _ in end() }) == nil { end() }
  }

  private static func put(_ text: String, _ descriptor: Int32, _ state: inout State) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      let code = errno
      if count < 0, code == EAGAIN {
        _ = try? Syscall.poll(descriptor, for: POLLOUT)
      } else if count < 0, code != EINTR {
        if descriptor == STDOUT_FILENO, state.failure == nil {
          state.failure = IOFailure("write", errno: code, path: "standard output")
        }
        return
      }
      rest = rest.dropFirst(max(0, count))
    }
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
