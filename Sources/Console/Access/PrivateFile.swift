import Glibc
import SerialIO

/// Identifies the file at a path now; each rename gives another stamp.
struct FileStamp: Equatable, Sendable {
  private var inode: UInt = 0
  private var size: Int = -1
  private var seconds: Int = 0
  private var nanoseconds: Int = 0

  init(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return }
    inode = UInt(status.st_ino)
    size = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
  }
}

/// Writes files for their owner alone: whole or not at all, and durable.
enum PrivateFile {
  static func write(_ bytes: [UInt8], to path: String) throws(IOFailure) {
    let draft = "\(path).\(getpid()).new"
    _ = unlink(draft)
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
    try Syscall.run("rename", path) { rename(draft, path) }
  }

  /// Moves a damaged file away, since somebody may still need its contents.
  /// - Returns: its new path.
  static func setAside(_ path: String) throws(IOFailure) -> String {
    let plain = "\(path).damaged-\(WallClock.now() / 1_000_000)"
    let aside = access(plain, F_OK) == 0 ? "\(plain)-\(UInt32.random(in: 0 ... .max))" : plain
    try Syscall.run("rename", path) { rename(path, aside) }
    return aside
  }
}
