import CLinux
import Glibc

/// What a program prints, in memory: as many pages as there is room for. What it prints beyond them
/// is an error to it, and nothing here.
public struct BoundedOutput: ~Copyable, Sendable {
  private let file: OwnedDescriptor
  private let limit: Int

  /// - Parameter limit: bytes, a multiple of a page: what a write has beyond the last is dropped.
  public init(limit: Int) throws(IOFailure) {
    let path = "a file in memory"
    file = OwnedDescriptor(
      owning: try Syscall.run("create", path) { clinux_bounded_file(limit) }, path: path)
    self.limit = limit
  }

  /// For the program's output and errors.
  public var descriptor: Int32 { file.number }

  /// So far.
  public var text: String {
    var bytes = [UInt8](repeating: 0, count: limit)
    let count = max(0, pread(file.number, &bytes, bytes.count, 0))
    // Nobody has written behind the first 0.
    return String(decoding: bytes.prefix(count).prefix { $0 != 0 }, as: UTF8.self)
  }
}
