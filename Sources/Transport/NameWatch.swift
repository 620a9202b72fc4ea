import FobBase
import Glibc
import SerialIO

/// Notices that a name has come into being or was moved into place: inotify on its folder.
struct NameWatch: ~Copyable {
  private let watch: OwnedDescriptor

  init(path: String) throws(IOFailure) {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
    let number = try Syscall.run("watch", path) {
      inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    }
    watch = OwnedDescriptor(owning: number, path: path)
    // A folder that is not there yet is asked for each second like the name itself.
    _ = inotify_add_watch(number, folder ?? ".", UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB))
  }

  /// Waits for a change in the folder if that is of interest, for `other` to become readable, or
  /// for the deadline.
  func wait(_ isOfInterest: Bool, orFor other: Int32, until deadline: Instant?) {
    // poll(2) passes over a negative descriptor.
    var waits = [
      pollfd(fd: isOfInterest ? watch.number : -1, events: Int16(POLLIN), revents: 0),
      pollfd(fd: other, events: Int16(POLLIN), revents: 0),
    ]
    _ = try? Syscall.poll(&waits, count: waits.count, until: deadline)
  }

  func clear() {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      while let count = try? watch.read(into: buffer), count > 0 {}
    }
  }
}
