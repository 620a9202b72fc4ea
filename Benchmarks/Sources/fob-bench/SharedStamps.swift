import CBench
import Glibc

/// Where a receiver puts its stamps: of press n at place n - 1, µs of CLOCK_BOOTTIME.
struct SharedStamps {
  enum Column: Int, CaseIterable {
    /// t3; of a bare receiver its one stamp.
    case decided
    /// t2, where the receiver tells it apart.
    case read
    /// t4.
    case durable
    /// Bytes, not a time: what the commit with the press has written.
    case bytes
  }

  /// Unchecked since it is a pointer. Mapped for good; each place is written by one thread.
  private nonisolated(unsafe) let base: UnsafeMutablePointer<UInt64>
  let count: Int

  init(path: String, count: Int) throws {
    guard let base = bench_shared_stamps(path, Column.allCases.count * count) else {
      throw BenchFailure("cannot map \(path): \(String(cString: strerror(errno)))")
    }
    self.base = base
    self.count = count
  }

  init(_ arguments: Arguments) throws {
    try self.init(path: arguments.text("stamps"), count: arguments.number("presses"))
  }

  subscript(column: Column) -> UnsafeMutablePointer<UInt64> { base + column.rawValue * count }
}
