import Glibc

/// The exclusive right to a state directory: flock(2) on `DIR/lock`, which holds the owner's pid.
///
/// The file stays behind when the lock ends. Removing it would let two processes lock two files of
/// the same name.
public struct StateLock: ~Copyable, Sendable {
  private let file: OwnedDescriptor

  /// - Throws: `IOFailure` with EWOULDBLOCK that names the holder's pid if the directory is in
  ///   use; ENOENT if there is no such directory.
  public init(directory: String) throws(IOFailure) {
    let file = try Syscall.open("\(directory)/lock", O_RDWR | O_CREAT, mode: 0o600)
    guard try file.lockExclusively() else {
      throw IOFailure(
        "lock", errno: EWOULDBLOCK, path: directory,
        reason: "it is in use by \(try StateLock.holder(in: file))")
    }
    try Syscall.run("write", file.path) { ftruncate(file.number, 0) }
    let text = "\(getpid())\n"
    _ = try Syscall.run("write", file.path) {
      text.utf8CString.withUnsafeBytes { pwrite(file.number, $0.baseAddress, text.utf8.count, 0) }
    }
    self.file = file
  }

  private static func holder(in file: borrowing OwnedDescriptor) throws(IOFailure) -> String {
    var bytes = [UInt8](repeating: 0, count: 20)
    let path = file.path
    let number = file.number
    let count = try Syscall.run("read", path) { pread(number, &bytes, bytes.count, 0) }
    // The holder writes its pid a moment after it has the lock.
    guard let pid = Int32(String(decoding: bytes.prefix(count).dropLast(), as: UTF8.self)) else {
      return "another process"
    }
    return "process \(pid)"
  }
}
