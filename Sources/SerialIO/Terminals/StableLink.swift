import FobBase
import Glibc

/// A symbolic link whose name stays, to a device whose own name changes. It is replaced in one
/// step: an opening finds the old device or the new one, never nothing. One process at a time keeps
/// a link; that of a process that has ended is replaced.
public struct StableLink: ~Copyable, Sendable {
  /// The link itself.
  public let path: String
  /// The device that it leads to.
  public private(set) var target: String
  /// Who has it bound keeps the link. The kernel lets go of it with the process, killed or not.
  private let claim: OwnedDescriptor

  /// Makes the link, in place of one that is there.
  /// - Throws: `IOFailure` with EEXIST if something other than a symbolic link has that name,
  ///   EADDRINUSE if it is still kept after 1 s.
  public init(at path: String, to target: String) throws(IOFailure) {
    let claim = try StableLink.claim(path)
    try StableLink.place(at: path, to: target)
    self.claim = claim
    self.path = path
    self.target = target
  }

  /// Removes the link, unless it leads elsewhere by now. Let go of the link before the device: once
  /// that is closed, the kernel may give its name to another.
  deinit {
    if StableLink.destination(of: path) == target { _ = unlink(path) }
  }

  /// Replaces the link in one step. Where it throws, the old one stays.
  /// - Throws: `IOFailure` with EEXIST if something other than a symbolic link has the name now.
  public mutating func move(to target: String) throws(IOFailure) {
    try StableLink.place(at: path, to: target)
    self.target = target
  }

  /// An abstract socket, named after the folder and the link's name in it: no file is left.
  private static func claim(_ path: String) throws(IOFailure) -> OwnedDescriptor {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { path[path.index(after: $0)...] } ?? path[...]
    var status = stat()
    try Syscall.run("link", path) { stat(folder, &status) }
    let address = try UnixAddress("\0fob-link/\(status.st_dev)/\(status.st_ino)/\(name.suffix(50))")
    let socket = try UnixSocket.make(SOCK_DGRAM, path: path)
    let number = socket.number
    // A program that has just been started holds the descriptors of who started it for a moment.
    let deadline = BootClock.now() + .seconds(1)
    while true {
      do {
        _ = try address.withPointer { (pointer, length) throws(IOFailure) in
          try Syscall.run("link", path) { bind(number, pointer, length) }
        }
        return socket
      } catch {
        guard error.errno == EADDRINUSE else { throw error }
        guard BootClock.now() < deadline else {
          throw IOFailure(
            "link", errno: EADDRINUSE, path: path, reason: "another process keeps that link")
        }
        usleep(10_000)
      }
    }
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
