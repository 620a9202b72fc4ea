import Glibc

/// Which making of a symbolic link this is; nil for what is none.
///
/// The kernel gives a pty's number to the next who asks. A link that a killed device left behind
/// may so lead to somebody else's line: it is not followed again until it has been made anew, as
/// every device that returns does.
struct LinkStamp: Equatable, Sendable {
  private let inode: UInt64
  private let seconds: Int
  private let nanoseconds: Int

  init?(path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
    inode = UInt64(status.st_ino)
    seconds = status.st_ctim.tv_sec
    nanoseconds = status.st_ctim.tv_nsec
  }
}
