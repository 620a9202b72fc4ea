import Foundation
import Glibc
import Testing

/// What may stand where a regular file is expected. Whoever opens a pipe waits for its other end.
enum OtherFile: CaseIterable {
  case pipe, linkToPipe, folder, device

  func make(at path: String) throws {
    switch self {
    case .pipe:
      try #require(mkfifo(path, 0o600) == 0)
    case .linkToPipe:
      try #require(mkfifo(path + ".pipe", 0o600) == 0)
      try #require(symlink(path + ".pipe", path) == 0)
    case .folder:
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    case .device:
      try #require(symlink("/dev/zero", path) == 0)
    }
  }
}
