import GRDB
import Glibc
import SerialIO

/// A failed operation of the store: which file, why, and a hint.
public struct StorageFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was tried, as in "commit to": it follows "cannot" in the description.
  public let operation: String
  /// The file, folder or document.
  public let path: String
  /// SQLite's extended result code; 0 if the failure is ours or the system's.
  public let code: Int32
  /// Why it failed, as a clause.
  public let reason: String
  /// What a person can do about it, as a clause; nil if no general hint fits.
  public let remedy: String?
  /// The stored data is not as it was written.
  var isDamage = false
  /// A server's, which no folder is to blame for.
  public internal(set) var isOfServer = false

  /// A failure that is not SQLite's own keeps `code` 0.
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
        reason: error.message ?? "\(error.resultCode)",
        remedy: Self.remedy(error.extendedResultCode))
      isDamage = [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_MISMATCH].contains(error.resultCode)
    case let error as IOFailure:
      self.init(
        operation, path: path, reason: "\(error)",
        remedy: error.errno == EIO ? Self.mend : Self.access)
    case is DecodingError, is RowDecodingError, is StoredRow.Mismatch, is CheckInRow.Mismatch,
      is EventCutOff:
      self.init(
        operation, path: path, reason: "a row cannot be read: \(error)", remedy: Self.anew)
      isDamage = true
    case let error as NumbersUsedUp:
      self.init(operation, path: path, reason: error.description, remedy: Self.anew)
      isDamage = true
    case let error as DamageFound:
      self.init(
        operation, path: path, reason: error.clauses.joined(separator: "; "), remedy: Self.anew)
      isDamage = true
    default: self.init(operation, path: path, reason: "\(error)", remedy: Self.access)
    }
  }

  private static let mend =
    "look at that disk, and start again: if it cannot be read then, what is lost is set aside"
  private static let access = "make the folder and what is in it writable for this user"
  private static let anew = "start again, which sets aside what is damaged and keeps the rest"

  /// - Parameter code: the extended one; a primary code stands for all of its kind.
  private static func remedy(_ code: ResultCode) -> String? {
    switch code {
    case .SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_ERROR, .SQLITE_MISMATCH: anew
    case .SQLITE_IOERR_SHMMAP:
      "its file system shares no memory, as 9p does not without cache=mmap: put the folder on a"
        + " disk of this machine"
    case .SQLITE_FULL, .SQLITE_IOERR: "free some space on that disk, or mend it"
    case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH: access
    case .SQLITE_BUSY, .SQLITE_LOCKED: "end the program that has it open"
    case .SQLITE_PROTOCOL: "a lock of the file was not given back: start fob again"
    default: nil
    }
  }
}
