import Glibc
import SerialIO

/// A page of a file that is written in place and flushed: what a durable commit holds at the least.
final class FsyncBaseline: Sendable {
  private static let size = 4_096
  private let file: OwnedDescriptor

  /// - Parameter folder: where the file is made; its name is gone at once.
  init(in folder: String) throws(IOFailure) {
    let path = "\(folder)/floor"
    file = try Syscall.open(path, O_RDWR | O_CREAT | O_TRUNC, mode: 0o600)
    unlink(path)
    _ = write()
  }

  /// - Returns: µs in tenths; nil where the disk refuses.
  func write() -> Int64? {
    withUnsafeTemporaryAllocation(byteCount: Self.size, alignment: 8) { page in
      page.initializeMemory(as: UInt8.self, repeating: 0xA5)
      let before = BootClock.nanoseconds()
      guard pwrite(file.number, page.baseAddress, page.count, 0) == page.count,
        fdatasync(file.number) == 0
      else { return nil }
      return Int64((BootClock.nanoseconds() - before) / 100)
    }
  }
}
