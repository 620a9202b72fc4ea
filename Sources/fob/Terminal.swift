import Foundation
import Glibc
import Synchronization

/// Standard output and error: whole lines, never interleaved.
enum Terminal {
  private static let lock = Mutex(())

  static let isTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
  static let hasColour = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == nil

  static func line(_ text: String) { write(text + "\n", STDOUT_FILENO) }
  /// As it is, without a newline of its own.
  static func write(_ text: String) { write(text, STDOUT_FILENO) }
  static func error(_ text: String) { write(text + "\n", STDERR_FILENO) }

  /// A question, whose answer is typed behind it.
  static func ask(_ text: String) { write(text, STDERR_FILENO) }

  private static func write(_ text: String, _ descriptor: Int32) {
    lock.withLock { _ in
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count > 0 || errno == EINTR else { return }
        rest = rest.dropFirst(max(0, count))
      }
    }
  }
}

extension Terminal {
  /// A value as one object of JSON, keys sorted, and a newline.
  /// - Parameter isPretty: over several lines.
  static func json(_ value: some Encodable, isPretty: Bool = false) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isPretty { encoder.outputFormatting.insert(.prettyPrinted) }
    line(String(decoding: try encoder.encode(value), as: UTF8.self))
  }
}
