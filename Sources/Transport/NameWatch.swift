import FobBase
import Glibc
import SerialIO

/// Notices that a name has come into being or was moved into place: inotify on its folder.
struct NameWatch: ~Copyable {
  private let watch: OwnedDescriptor

  /// Nil where the user has no inotify left (of 128 on Debian): the name is asked for each second.
  init?(path: String) throws(IOFailure) {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) }
    let number: Int32
    do {
      number = try Syscall.run("watch", path) {
        inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      }
    } catch {
      if error.errno == EMFILE { return nil }
      throw error
    }
    watch = OwnedDescriptor(owning: number, path: path)
    // A folder that is not there yet is asked for each second like the name itself.
    _ = inotify_add_watch(number, folder ?? ".", UInt32(IN_CREATE | IN_MOVED_TO | IN_ATTRIB))
  }

  /// Readable when something in the folder has changed.
  var descriptor: Int32 { watch.number }

  func clear() {
    withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: 8) { buffer in
      while let count = try? watch.read(into: buffer), count > 0 {}
    }
  }
}
