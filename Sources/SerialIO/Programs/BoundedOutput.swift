import CLinux
import Glibc

/// A file in memory for a program's output, of limited size. A write beyond the limit is an error
/// to the program, and is not kept.
public struct BoundedOutput: ~Copyable, Sendable {
  private let file: OwnedDescriptor
  private let limit: Int

  /// - Parameter limit: bytes, a multiple of a page.
  public init(limit: Int) throws(IOFailure) {
    let path = "a file in memory"
    file = OwnedDescriptor(
      owning: try Syscall.run("create", path) { clinux_bounded_file(limit) }, path: path)
    self.limit = limit
  }

  /// To be given to the program as its output and errors.
  public var descriptor: Int32 { file.number }

  /// What the program has printed so far, up to the first 0 byte; invalid UTF-8 is replaced.
  public var text: String {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = max(0, pread(file.number, &bytes, bytes.count, 0))
    // The rest of the file is zeros.
    return String(decoding: bytes.prefix(count).prefix { $0 != 0 }, as: UTF8.self)
  }
}
