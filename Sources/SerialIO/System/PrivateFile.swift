import Glibc

/// Writes files for their owner alone: whole or not at all, and durable.
package enum PrivateFile {
  /// - Throws: `IOFailure`; the file is as it was then.
  package static func write(_ bytes: [UInt8], to path: String) throws(IOFailure) {
    let draft = "\(path).\(getpid()).new"
    _ = unlink(draft)
    do throws(IOFailure) {
      try fill(draft, with: bytes)
      try Syscall.run("rename", path) { rename(draft, path) }
    } catch {
      _ = unlink(draft)
      throw error
    }
    // The new name, too, outlives a power cut.
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let opened = try Syscall.open(folder, O_RDONLY | O_DIRECTORY)
    try Syscall.run("write", folder) { fsync(opened.number) }
  }

  /// Takes away the drafts of a file that killed processes have left: only for the one process that
  /// writes it.
  package static func clearDrafts(of path: String) {
    var found = glob_t()
    defer { globfree(&found) }
    guard glob("\(path).*.new", 0, nil, &found) == 0 else { return }
    for index in 0..<Int(found.gl_pathc) {
      if let draft = found.gl_pathv[index] { unlink(draft) }
    }
  }

  private static func fill(_ draft: String, with bytes: [UInt8]) throws(IOFailure) {
    let file = try Syscall.open(draft, O_WRONLY | O_CREAT | O_EXCL, mode: 0o600)
    let number = file.number
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try Syscall.run("write", draft) {
        rest.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
    }
    try Syscall.run("write", draft) { fsync(number) }
  }

  /// Moves a damaged file away, since somebody may still need its contents.
  /// - Returns: its new path.
  package static func setAside(_ path: String) throws(IOFailure) -> String {
    let plain = "\(path).damaged-\(WallClock.now() / 1_000_000)"
    let aside = access(plain, F_OK) == 0 ? "\(plain)-\(UInt32.random(in: 0 ... .max))" : plain
    try Syscall.run("rename", path) { rename(path, aside) }
    return aside
  }
}
