import Glibc

/// A symbolic link with a name that stays, to a device whose own name changes. It is replaced in
/// one step, so whoever opens it finds the old device or the new one, never nothing.
public struct StableLink: ~Copyable, Sendable {
  public let path: String
  public private(set) var target: String

  /// - Throws: `IOFailure` with EEXIST if something other than a symbolic link has that name.
  public init(at path: String, to target: String) throws(IOFailure) {
    try StableLink.place(at: path, to: target)
    self.path = path
    self.target = target
  }

  /// Removes the link, unless another process has made the name its own since. Let go of the
  /// link before the device: once that is closed, the kernel may give its name to another.
  deinit {
    if StableLink.destination(of: path) == target { _ = unlink(path) }
  }

  public mutating func move(to target: String) throws(IOFailure) {
    try StableLink.place(at: path, to: target)
    self.target = target
  }

  private static func place(at path: String, to target: String) throws(IOFailure) {
    var status = stat()
    if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK {
      throw IOFailure(
        "link", errno: EEXIST, path: path, reason: "something else has that name")
    }
    let temporary = "\(path).\(getpid()).\(BootClock.nanoseconds())"
    try Syscall.run("link", temporary) { symlink(target, temporary) }
    do {
      try Syscall.run("link", path) { rename(temporary, path) }
    } catch {
      _ = unlink(temporary)
      throw error
    }
  }

  private static func destination(of path: String) -> String? {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Int(PATH_MAX)) { buffer in
      let count = buffer.withMemoryRebound(to: CChar.self) {
        readlink(path, $0.baseAddress!, $0.count)
      }
      return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }
  }
}
