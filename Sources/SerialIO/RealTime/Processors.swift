import CLinux
import Glibc

/// The processors that a thread may run on (sched_setaffinity(2)); threads that it starts inherit
/// them.
public enum Processors {
  /// Size of a set with a bit for each processor that the kernel can number.
  private static let bytes = 1_024

  /// How many the machine runs, at least one.
  public static var online: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The processors that the calling thread may run on, ascending.
  public static func allowed() throws(IOFailure) -> [Int] {
    var set = [UInt8](repeating: 0, count: bytes)
    let count = try Syscall.run("read", "the processors of this thread") {
      clinux_processors(0, &set, set.count)
    }
    return (0..<Int(count) * 8).filter { set[$0 / 8] >> ($0 % 8) & 1 == 1 }
  }

  /// From now on the calling thread, and each thread that it starts, runs on these alone. Numbers
  /// that no kernel has are ignored.
  public static func allow(_ processors: [Int]) throws(IOFailure) {
    var set = [UInt8](repeating: 0, count: bytes)
    for processor in processors where (0..<bytes * 8).contains(processor) {
      set[processor / 8] |= 1 << (processor % 8)
    }
    _ = try Syscall.run("run on", "processors \(text(processors))") {
      clinux_set_processors(0, set, set.count)
    }
  }

  /// A list as the kernel writes it: `0-3,6`.
  public static func text(_ processors: [Int]) -> String {
    var runs: [ClosedRange<Int>] = []
    for processor in processors.sorted() {
      if let last = runs.last, processor <= last.upperBound + 1 {
        runs[runs.count - 1] = last.lowerBound...processor
      } else {
        runs.append(processor...processor)
      }
    }
    return runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
      .joined(separator: ",")
  }

  /// Takes one processor from the calling thread, for another thread to have alone.
  /// - Returns: the processors that remain.
  /// - Throws: `IOFailure` with EINVAL where this thread may not use it, or has no other.
  @discardableResult
  public static func leave(_ processor: Int) throws(IOFailure) -> [Int] {
    let allowed = try allowed()
    let path = "processor \(processor)"
    guard allowed.contains(processor) else {
      throw IOFailure(
        "use", errno: EINVAL, path: path,
        reason: "this process may run on \(text(allowed)): choose one of these, or see taskset(1)"
          + " and CPUAffinity= of its service")
    }
    let others = allowed.filter { $0 != processor }
    guard !others.isEmpty else {
      throw IOFailure(
        "use", errno: EINVAL, path: path,
        reason: "it is the only one that this process may run on: none is left for all the rest")
    }
    try allow(others)
    return others
  }
}
