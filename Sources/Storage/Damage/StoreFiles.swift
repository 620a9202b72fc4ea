import Foundation
import Glibc
import SerialIO

/// The names of one store's files: SQLite's own, and those beside them.
struct StoreFiles: Sendable {
  let directory: String
  let database: String

  init(directory: String) {
    self.directory = directory
    database = directory + "/fob.sqlite"
  }

  /// SQLite's write-ahead log, and the index of it that processes share.
  var log: String { database + "-wal" }
  var index: String { database + "-shm" }
  /// A checked copy, made at the last clean stop.
  var backup: String { database + ".backup" }
  /// Marks that a database was made here, so that a missing one is noticed.
  var made: String { database + ".made" }
  /// Says why the next opening checks every page, however long it takes.
  var suspect: String { database + ".suspect" }
  /// Says that the last start could not read every byte of a damaged store.
  var unreadable: String { database + ".unreadable" }
  /// Stands in for a database that is empty or gone, so that its log can be read.
  var blank: String { database + ".blank" }
  /// A new database until it is complete.
  var part: String { database + ".part" }
  /// Names the server that has the rows, where they are not here.
  var server: String { directory + "/fob.server" }
  /// Of a bench: what would be mailed to the owner.
  var mails: String { directory + "/mails.jsonl" }
  private static let salvaged = "fob.sqlite.salvaged-"
  static let damaged = "fob.sqlite.damaged-"

  /// A complete database that will replace the damaged one.
  func salvaged(_ stamp: String) -> String { "\(directory)/\(Self.salvaged)\(stamp)" }
  func damaged(_ stamp: String) -> String { "\(directory)/\(Self.damaged)\(stamp)" }
  func note(_ stamp: String) -> String { damaged(stamp) + ".json" }

  /// Makes the folder where it is missing, for this user alone. Throws `StorageFailure`.
  func makeFolder() throws {
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw StorageFailure("make the state folder", path: directory, error)
    }
  }

  /// Rows are in one place: here, or on the server that the folder names. Who starts at the other
  /// would begin without what is open. Throws `StorageFailure`.
  func assureRows(areAt place: PostgresServer?) throws {
    if place == nil, let name = try serverNote().first {
      throw StorageFailure(
        "open", path: database, reason: "the rows of this folder are at \(name)",
        remedy: "give --store, or take \(server) away to begin with this file")
    }
    if place != nil, try Self.exists(database) || Self.exists(made) {
      throw StorageFailure(
        "open", path: directory, reason: "it has rows of its own in \(database)",
        remedy: "take them to the server by fob state export and import, then take the files"
          + " fob.sqlite* out of the folder")
    }
  }

  /// The lines of the file that names the server: its URL, and `PostgresHolder.id`. None where
  /// there is no such file.
  func serverNote() throws(IOFailure) -> [String] {
    guard try Self.exists(server) else { return [] }
    let text = String(decoding: try Self.bytes(of: server, atMost: 10_000), as: UTF8.self)
    let lines = text.split(separator: "\n").map(String.init)
    return lines.isEmpty ? ["a server"] : lines
  }

  var names: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []).sorted()
  }

  /// Files that have rows of the database beside it.
  var copies: [String] {
    let aside = names.filter { $0.hasPrefix(Self.damaged) && !$0.hasSuffix(".json") }
    return [backup, backup + ".part", part, blank] + aside.map { "\(directory)/\($0)" }
  }

  /// - Returns: nil if there is no such file; throws if that cannot be told.
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

  /// - Returns: the file's bytes, at most `limit`; none if there is no such file.
  static func bytes(of path: String, atMost limit: Int = .max) throws(IOFailure) -> Data {
    guard try exists(path) else { return Data() }
    // A pipe in its place gives nothing: without O_NONBLOCK the open would wait for a writer.
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

  /// Reads all of the files that would be set aside, to find failures of the disk.
  func assureReadable() throws {
    do throws(IOFailure) {
      for path in [database, log] { _ = try Self.bytes(of: path) }
    } catch {
      _ = try damage(by: error)
    }
  }

  /// Handles a failure to read. The first one ends this start and sets nothing aside, since a disk
  /// that fails now may work at the next start.
  /// - Returns: a clause, if the start before this one ended for the same reason: then only the
  ///   readable rows are used.
  func damage(by failure: IOFailure) throws -> String {
    guard try !Self.exists(unreadable) else { return "\(failure)" }
    try write("\(failure)\n", to: unreadable)
    throw failure
  }

  // MARK: Putting in place

  /// Finishes an interrupted salvage: renames the damaged files, and moves the salvaged one into
  /// place.
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

  /// Makes a file durable that other code has written.
  func flush(_ path: String) throws(IOFailure) {
    let file = try Syscall.open(path, O_RDONLY)
    let number = file.number
    try Syscall.run("flush", path) { fsync(number) }
  }

  /// Makes the folder's entries durable.
  func flush() throws(IOFailure) { try flush(directory) }

  /// SQLite ignores a log beside a file without pages. So this puts a copy of the log beside a new
  /// database, whose pages are those that a commit does not write; for a log of another page size a
  /// page of zeros.
  /// - Returns: false if there is no log that can be read.
  func makeBlank() throws -> Bool {
    let log = try WriteAheadLog(self)
    guard let size = log.pageSize else { return false }
    remove(blank)
    try StoreOpening.make(blank)
    if size != StoreOpening.pageSize { try Data(count: size).write(to: URL(filePath: blank)) }
    _ = try Syscall.open(blank + "-wal", O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    try log.bytes.write(to: URL(filePath: blank + "-wal"))
    return true
  }

  /// Writes a file for its owner alone: whole or not at all.
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
