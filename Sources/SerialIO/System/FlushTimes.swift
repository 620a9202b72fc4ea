import FobBase
import Glibc

/// How long a disk takes to make a page durable, as a commit of the store does.
public struct FlushTimes: Equatable, Sendable {
  /// Microseconds, ascending; never empty.
  public let sorted: [Int64]

  /// Microseconds; the upper one of two.
  public var median: Int64 { sorted[sorted.count / 2] }
  /// Microseconds.
  public var longest: Int64 { sorted[sorted.count - 1] }

  /// - Parameter microseconds: in any order, at least one.
  public init(microseconds: [Int64]) {
    precondition(!microseconds.isEmpty)
    sorted = microseconds.sorted()
  }

  /// Writes a page of 4,096 bytes and flushes it (fdatasync(2)), `count` times, in a file without a
  /// name that ends with the call.
  public init(in folder: String, count: Int = 15) throws(IOFailure) {
    var template = Array("\(folder)/.fob-doctor-XXXXXX".utf8CString)
    let number = try Syscall.run("make a file in", folder) { mkstemp(&template) }
    let file = OwnedDescriptor(owning: number, path: folder)
    unlink(template)
    let page = [UInt8](repeating: 0xA5, count: 4_096)
    var times: [Int64] = []
    for turn in 0..<count {
      let before = BootClock.nanoseconds()
      try Syscall.run("write in", folder) {
        pwrite(file.number, page, page.count, off_t(turn * page.count))
      }
      try Syscall.run("flush in", folder) { fdatasync(file.number) }
      times.append(Int64((BootClock.nanoseconds() - before) / 1_000))
    }
    // Keeps the descriptor open until here.
    _ = consume file
    self.init(microseconds: times)
  }
}
