import Glibc

/// An operation that the system refused, on what, and why.
public struct IOFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The attempt as a user command: `open`, `lock`, `set raw mode`.
  public let operation: String
  public let errno: Int32
  /// The file, device or socket; for what has no path, its kind.
  public let path: String
  /// Said in place of the errno text where that alone would mislead.
  public let reason: String?

  public init(_ operation: String, errno: Int32, path: String, reason: String? = nil) {
    self.operation = operation
    self.errno = errno
    self.path = path
    self.reason = reason
  }

  /// `cannot open /dev/ttyACM0: No such file or directory`
  public var description: String {
    "cannot \(operation) \(path): \(reason ?? IOFailure.text(of: errno))"
  }

  static func text(of code: Int32) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let text = buffer.baseAddress, strerror_r(code, text, buffer.count) == 0 else {
        return "error \(code)"
      }
      return String(cString: text)
    }
  }
}
