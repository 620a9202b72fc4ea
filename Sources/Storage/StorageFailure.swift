/// An operation that the store refused, on which file, and why.
public struct StorageFailure: Error, Equatable, Sendable, CustomStringConvertible {
  public let operation: String
  public let path: String
  /// SQLite's extended result code; 0 where the failure is ours.
  public let code: Int32
  public let reason: String

  public init(_ operation: String, path: String, code: Int32 = 0, reason: String) {
    self.operation = operation
    self.path = path
    self.code = code
    self.reason = reason
  }

  /// `cannot commit to DIR/fob.sqlite: disk I/O error (SQLite 778)`
  public var description: String {
    "cannot \(operation) \(path): \(reason)" + (code == 0 ? "" : " (SQLite \(code))")
  }
}
