import FobBase
import Glibc

/// How long a disk takes to make a page durable, as a commit of the store does.
public struct FlushTimes: Equatable, Sendable {
  /// Microseconds, ascending; never empty.
  public let sorted: [Int64]

  public var median: Int64 { sorted[sorted.count / 2] }
  public var longest: Int64 { sorted[sorted.count - 1] }

  public init(microseconds: [Int64]) {
    precondition(!microseconds.isEmpty)
    sorted = microseconds.sorted()
  }

  /// Writes a page and has it flushed (fdatasync(2)), some times; the file is gone afterwards.
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
    // Its descriptor is closed at its last use, so this is the last.
    _ = consume file
    self.init(microseconds: times)
  }
}
