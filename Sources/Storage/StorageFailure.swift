import GRDB
import SerialIO

/// An operation that the store refused, on which file, why, and the way out.
public struct StorageFailure: Error, Equatable, Sendable, CustomStringConvertible {
  public let operation: String
  public let path: String
  /// SQLite's extended result code; 0 where the failure is ours or the system's.
  public let code: Int32
  public let reason: String
  /// What a person can do about it; nil where nothing general is to be said.
  public let remedy: String?

  public init(
    _ operation: String, path: String, code: Int32 = 0, reason: String, remedy: String? = nil
  ) {
    self.operation = operation
    self.path = path
    self.code = code
    self.reason = reason
    self.remedy = remedy
  }

  /// `cannot commit to DIR/fob.sqlite: disk is full (SQLite 13); free some space on that disk`
  public var description: String {
    "cannot \(operation) \(path): \(reason)" + (code == 0 ? "" : " (SQLite \(code))")
      + (remedy.map { "; \($0)" } ?? "")
  }
}

extension StorageFailure {
  init(_ operation: String, path: String, _ error: any Error) {
    switch error {
    case let error as StorageFailure: self = error
    case let error as DatabaseError:
      self.init(
        operation, path: path, code: error.extendedResultCode.rawValue,
        reason: error.message ?? "\(error.resultCode)", remedy: Self.remedy(error.resultCode))
    case let error as IOFailure:
      self.init(operation, path: path, reason: "\(error)", remedy: Self.access)
    case is DecodingError, is RowDecodingError:
      self.init(operation, path: path, reason: "a row cannot be read: \(error)", remedy: Self.anew)
    default: self.init(operation, path: path, reason: "\(error)", remedy: Self.access)
    }
  }

  private static let access = "make the folder and what is in it writable for this user"
  private static let anew = "put a copy of it back, or move it aside to begin anew"

  private static func remedy(_ code: ResultCode) -> String? {
    switch code {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_MISMATCH: anew
    case .SQLITE_FULL, .SQLITE_IOERR: "free some space on that disk, or mend it"
    case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH: access
    case .SQLITE_BUSY, .SQLITE_LOCKED: "end the program that has it open"
    default: nil
    }
  }
}
