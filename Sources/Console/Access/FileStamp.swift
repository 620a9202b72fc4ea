import Glibc

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
