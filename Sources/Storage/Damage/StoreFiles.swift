import Foundation
import Glibc
import SerialIO

/// The files of one store by their names: SQLite's own, and those that stand beside them.
struct StoreFiles: Sendable {
  let directory: String
  let database: String

  init(directory: String) {
    self.directory = directory
    database = directory + "/fob.sqlite"
  }

  /// SQLite's write-ahead log, and the index of it that its processes share.
  var log: String { database + "-wal" }
  var index: String { database + "-shm" }
  /// A checked copy of the last clean stop.
  var backup: String { database + ".backup" }
  /// Says that a database was here, so that one that is gone is missed.
  var made: String { database + ".made" }
  /// Says why the next opening is to look at everything, however long it takes.
  var suspect: String { database + ".suspect" }
  /// Says that the start before this one could not read every byte of a damaged store.
  var unreadable: String { database + ".unreadable" }
  /// Stands in for a database that is empty or gone, so that its log can be read.
  var blank: String { database + ".blank" }
  /// A new database until it is whole.
  var part: String { database + ".part" }
  private static let salvaged = "fob.sqlite.salvaged-"
  static let damaged = "fob.sqlite.damaged-"

  /// A whole database that is to take the damaged one's place.
  func salvaged(_ stamp: String) -> String { "\(directory)/\(Self.salvaged)\(stamp)" }
  func damaged(_ stamp: String) -> String { "\(directory)/\(Self.damaged)\(stamp)" }
  func note(_ stamp: String) -> String { damaged(stamp) + ".json" }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
  }

  /// - Returns: nil where there is none; what cannot be looked at is there.
  static func size(of path: String) throws(IOFailure) -> UInt64? {
    var status = stat()
    do throws(IOFailure) {
      try Syscall.run("look at", path) { lstat(path, &status) }
    } catch {
      guard error.errno == ENOENT else { throw error }
      return nil
    }
    return UInt64(status.st_size)
  }

  static func exists(_ path: String) throws(IOFailure) -> Bool { try size(of: path) != nil }

  /// - Returns: all of a file, at most so many bytes; nothing where there is none.
  static func bytes(of path: String, atMost limit: Int = .max) throws(IOFailure) -> Data {
    guard try exists(path) else { return Data() }
    // A pipe in its place has nothing to say: nobody waits for who would write into it.
    let file = try Syscall.open(path, O_RDONLY | O_NONBLOCK)
    let number = file.number
    var data = Data()
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while data.count < limit {
      let most = min(piece.count, limit - data.count)
      let count = try Syscall.run("read", path) { Glibc.read(number, &piece, most) }
      guard count > 0 else { break }
      data += piece[..<count]
    }
    return data
  }

  /// Reads what is to be set aside.
  func assureReadable() throws {
    do throws(IOFailure) {
      for path in [database, log] { _ = try Self.bytes(of: path) }
    } catch {
      _ = try damage(by: error)
    }
  }

  /// A disk that fails now may not at the next start: this one ends, and nothing is set aside.
  /// - Returns: a clause, where the start before this one had to end for it: what can be read must
  ///   do then.
  func damage(by failure: IOFailure) throws -> String {
    guard try !Self.exists(unreadable) else { return "\(failure)" }
    try write("\(failure)\n", to: unreadable)
    throw failure
  }

  // MARK: Putting in place

  /// Finishes what an earlier start has begun: the damaged files step aside, the salvaged one in.
  func settle() throws {
    remove(part)
    for name in names where name.hasPrefix(Self.salvaged) {
      let stamp = String(name.dropFirst(Self.salvaged.count))
      for suffix in ["-wal", "-shm", ""] where try Self.exists(database + suffix) {
        try rename(database + suffix, to: damaged(stamp) + suffix)
      }
      try rename(directory + "/" + name, to: database)
      try flush()
    }
  }

  func rename(_ old: String, to new: String) throws(IOFailure) {
    try Syscall.run("rename", old) { Glibc.rename(old, new) }
  }

  func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }

  /// Makes a file durable that others have written.
  func flush(_ path: String) throws(IOFailure) {
    let file = try Syscall.open(path, O_RDONLY)
    let number = file.number
    try Syscall.run("flush", path) { fsync(number) }
  }

  /// Makes the names in the folder durable.
  func flush() throws(IOFailure) { try flush(directory) }

  /// SQLite takes no log beside a file without a page: so one of zeros, with a copy of the log.
  /// - Returns: false where there is no log that could be read.
  func makeBlank() throws -> Bool {
    let log = try WriteAheadLog(self)
    guard let size = log.pageSize else { return false }
    remove(blank)
    for (path, bytes) in [(blank, Data(count: size)), (blank + "-wal", log.bytes)] {
      _ = try Syscall.open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
      try bytes.write(to: URL(filePath: path))
    }
    return true
  }

  /// Writes a file of this owner's alone, whole or not at all.
  func write(_ text: String, to path: String) throws {
    let part = path + ".part"
    unlink(part)
    let file = try Syscall.open(part, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    let number = file.number
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let written = try Syscall.run("write", part) {
        rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(written)
    }
    try Syscall.run("flush", part) { fsync(number) }
    try rename(part, to: path)
    try flush()
  }
}
