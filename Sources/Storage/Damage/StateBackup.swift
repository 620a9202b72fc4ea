public import FobBase
public import Foundation
import GRDB
import Glibc
import SerialIO
import Synchronization

/// A checked copy of the database beside it, `fob.sqlite.backup`. A start reads from it whatever
/// the database has lost.
public struct StateBackup: Sendable {
  /// How making a backup ended.
  public enum Outcome: Equatable, Sendable {
    case made
    /// The older backup is kept; the text is the reason.
    case skipped(String)
    /// Something of an erased account is left in the folder, for this reason: there is no backup
    /// until it has gone.
    case erasureOwed(String)
    /// An account was erased meanwhile: it is to be made again.
    case overtaken
  }

  private let files: StoreFiles
  /// Bytes left free for the log and other files.
  static let spare: UInt64 = 16 << 20

  init(_ files: StoreFiles) { self.files = files }

  /// When the backup was made; nil if there is none.
  public static func date(in directory: String) -> Date? {
    let path = StoreFiles(directory: directory).backup
    return try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
  }

  private var part: String { files.backup + ".part" }

  private struct TooLate: Error {}

  /// Copies a snapshot over its own connections: no commit waits for it.
  /// - Parameters:
  ///   - patience: the longest that it may take.
  ///   - naming: calls what gives the copy its name, or returns false: it may not have it.
  func make(
    within patience: Interval, naming: (() throws -> Void) throws -> Bool
  ) -> Outcome {
    let latest = BootClock.now() + patience
    let size = (try? StoreFiles.size(of: files.database)) ?? 0
    var space = statvfs()
    guard statvfs(files.directory, &space) == 0,
      UInt64(space.f_bavail) * UInt64(space.f_frsize) >= size + Self.spare
    else { return .skipped("no room for a backup of \(size >> 20) MiB in \(files.directory)") }
    do {
      files.remove(part)
      try copy(until: latest)
      try check(until: latest)
      try files.flush(part)
      guard try naming({ try files.rename(part, to: files.backup) }) else {
        files.remove(part)
        return .overtaken
      }
      try files.flush()
      return .made
    } catch {
      files.remove(part)
      // An erasure has taken the copy away while it was looked at.
      if (try? naming {}) == false { return .overtaken }
      switch error {
      case is TooLate:
        return .skipped("a backup takes longer than \(patience.microseconds / 1_000) ms")
      case let error as DamageFound:
        let words = error.clauses.joined(separator: "; ")
        try? files.write(words + "\n", to: files.suspect)
        return .skipped("the records are damaged, the next start looks at them: \(words)")
      default: return .skipped("no backup: \(error)")
      }
    }
  }

  private func copy(until latest: Instant) throws {
    _ = try Syscall.open(part, O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    var configuration = Configuration()
    configuration.readonly = true
    let source = try DatabaseQueue(path: files.database, configuration: configuration)
    let target = try StoreOpening.building(part)
    try source.backup(to: target, pagesPerStep: 256) { progress in
      if !progress.isCompleted, BootClock.now() > latest { throw TooLate() }
    }
    // Otherwise SQLite would open the copy with a log beside it.
    try target.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = DELETE")
    }
    try target.close()
    try source.close()
  }

  private func check(until latest: Instant) throws {
    let left = Double((latest - BootClock.now()).microseconds) / 1_000_000
    guard left > 0 else { throw TooLate() }
    let copy = try StoreOpening.building(part)
    defer { try? copy.close() }
    do {
      let faults = try copy.inDatabase { db in try StoreOpening.faults(db, within: left) }
      guard BootClock.now() < latest else { throw TooLate() }
      guard faults.isEmpty else { throw DamageFound(clauses: faults) }
      try copy.inDatabase { try StoreOpening.lookAtRows($0, until: latest) }
    } catch let error where StoreOpening.isDamage(error) {
      throw DamageFound(clauses: [StoreOpening.clause(error)])
    }
  }
}

extension AlertStore {
  /// Replaces the backup if there is room on the disk and it takes no longer than `patience`.
  /// Blocks. A server is backed up by who runs it: there nothing is done.
  public func backUp(within patience: Interval) -> StateBackup.Outcome {
    engine.backUp(within: patience)
  }

  /// A backup file is there; false, too, if the folder cannot be read. Nil: none is to be, a server
  /// has the rows.
  public var hasBackup: Bool? { engine.hasBackup }
}
