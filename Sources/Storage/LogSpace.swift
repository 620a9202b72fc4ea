import Foundation

/// Room for SQLite's write-ahead log, made before it is needed.
///
/// A commit that overwrites what stands in the log waits for its pages alone. One that makes the
/// log grow waits for the file system's own books, too, two fifths of its time (measured on ext4
/// without a journal), until the log has been filled once.
enum LogSpace {
  /// Whence SQLite starts the log over is 1,000 pages, each with a header, and the commit that goes
  /// past them.
  private static let bytes: UInt64 = 4_500_000
  private static let chunk = 500_000

  /// Fills the log beside the database at `path` up with zeros, behind whatever it holds: a frame
  /// of zeros is none. Where the disk has no room for it all, it gets back what was taken, since
  /// messages and others need it, too: the log grows as it would have.
  static func reserve(beside path: String) {
    guard let log = FileHandle(forWritingAtPath: path + "-wal") else { return }
    defer { try? log.close() }
    guard let end = try? log.seekToEnd(), end < bytes else { return }
    do {
      let zeros = Data(count: chunk)
      for _ in 0...(bytes - end) / UInt64(chunk) { try log.write(contentsOf: zeros) }
      try log.synchronize()
    } catch {
      try? log.truncate(atOffset: end)
    }
  }
}
