import Foundation
import TestSupport

/// The files of this repository, read once for all tidy tests.
enum Repository {
  static let root = TestSupport.Repository.root

  /// Every text file, but for build folders and recorded data.
  static let texts: [TextFile] = paths().filter(isText).map { path in
    let bytes = (try? Data(contentsOf: root.appending(path: path))) ?? Data()
    return TextFile(path: path, text: String(decoding: bytes, as: UTF8.self))
  }

  static let swift: [SwiftFile] = texts.filter { $0.suffix == "swift" }.map(SwiftFile.init)

  static let sources = swift.filter { $0.path.hasPrefix("Sources/") }

  /// What git would hand to the next clone; empty where the tree is not a git repository.
  static func trackedPaths() throws -> [String] {
    guard FileManager.default.fileExists(atPath: root.appending(path: ".git").path) else {
      return []
    }
    let git = Process()
    git.executableURL = URL(filePath: "/usr/bin/env")
    git.arguments = ["git", "-c", "safe.directory=*", "-C", root.path, "ls-files", "-z"]
    let output = Pipe()
    git.standardOutput = output
    try git.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    git.waitUntilExit()
    guard git.terminationStatus == 0 else { throw GitFailed(status: git.terminationStatus) }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\0").map(String.init)
  }

  struct GitFailed: Error {
    let status: Int32
  }

  private static func paths() -> [String] {
    let prefix = root.path.hasSuffix("/") ? root.path : root.path + "/"
    guard let walk = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    else { return [] }
    var found: [String] = []
    for case let url as URL in walk {
      let name = url.lastPathComponent
      if name.hasPrefix(".build") || name == ".git" {
        walk.skipDescendants()
      } else {
        found.append(String(url.path.dropFirst(prefix.count)))
      }
    }
    return found.sorted()
  }

  private static func isText(_ path: String) -> Bool {
    let suffixes: Set = [
      "c", "h", "js", "json", "ld", "lua", "md", "py", "rules", "s", "sh", "swift", "toml", "yaml",
      "yml",
    ]
    return suffixes.contains(TextFile.suffix(of: path))
      || path == "Makefile" || path.hasSuffix("/Makefile") || path == ".ci/run"
  }
}
