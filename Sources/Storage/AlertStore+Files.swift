import Foundation
import Glibc

/// A file of the state folder (R111).
public struct StoredFile: Codable, Equatable, Sendable {
  /// Within the folder.
  public let name: String
  /// Its length.
  public let bytes: UInt64
  /// When its content last changed, µs since 1970.
  public let changedAt: Int64

  /// Nothing is checked.
  public init(name: String, bytes: UInt64, changedAt: Int64) {
    self.name = name
    self.bytes = bytes
    self.changedAt = changedAt
  }
}

extension AlertStore {
  /// The files of the state folder, by name; what has gone meanwhile is left out.
  /// - Throws: `StorageFailure` if the folder cannot be read.
  public func listFiles() throws -> [StoredFile] {
    let folder = files.directory
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw StorageFailure("list the state folder", path: folder, error)
    }
    return names.sorted().compactMap { name in
      var status = stat()
      guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
        return nil
      }
      let changed = Int64(status.st_mtim.tv_sec) * 1_000_000 + Int64(status.st_mtim.tv_nsec) / 1_000
      return StoredFile(name: name, bytes: UInt64(status.st_size), changedAt: changed)
    }
  }
}
