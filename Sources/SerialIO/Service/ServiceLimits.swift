import CLinux
import Glibc

/// Checks that this process may have the threads that it needs. Libraries that we use wait for ever
/// where they get none, so the check comes before them.
public enum ThreadLimit {
  /// Starts `count` threads at the same time, and ends them.
  /// - Throws: `IOFailure` with a hint where the system refuses one.
  public static func require(_ count: Int) throws(IOFailure) {
    let gate = try OneShot<Void>()
    var threads: [BlockingThread] = []
    // Ends the threads however this ends.
    defer { gate.open(with: ()) }
    do throws(IOFailure) {
      for _ in 0..<count {
        threads.append(try BlockingThread(name: "room") { _ = try? gate.pass() })
      }
    } catch {
      throw IOFailure(
        "start", errno: error.errno, path: "\(count) threads",
        reason: "the system gives \(threads.count), then says: \(IOFailure.text(of: error.errno));"
          + " raise TasksMax= of the unit, or ulimit -u")
    }
  }

  /// How many threads a core with its API needs: 24 of our own, two event loops for each processor,
  /// and Swift's pool of one for each.
  public static var ofService: Int { 24 + 3 * Processors.online }
}

/// The limit of open files of this process. A keychain or a device takes six to eight, and a
/// shell's soft limit is often 1,024.
public enum DescriptorLimit {
  /// Raises the soft limit, and checks that so many descriptors are free.
  /// - Throws: `IOFailure` with a hint where the system gives fewer.
  public static func require(_ count: Int) throws(IOFailure) {
    raise()
    let (most, open) = now
    let free = most - open
    guard free >= count else {
      throw IOFailure(
        "open", errno: EMFILE, path: "\(count) files",
        reason: "the system gives \(free); raise LimitNOFILE= of the unit, or ulimit -n")
    }
  }

  /// How many descriptors a core with its API, a few clients and a keychain needs: 64, and three
  /// for each of two event loops for each processor.
  public static var ofService: Int { 64 + 6 * Processors.online }

  /// Raises the soft limit to the hard one. Where the system refuses, opening a file fails later.
  public static func raise() {
    var limit = current
    limit.rlim_cur = limit.rlim_max
    _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }

  /// How many descriptors there may be, and how many are open.
  public static var now: (most: Int, open: Int) {
    (Int(clamping: current.rlim_cur), openDescriptors)
  }

  private static var current: rlimit {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return rlimit(rlim_cur: 1_024, rlim_max: 1_024)
    }
    return limit
  }

  private static var openDescriptors: Int {
    guard let folder = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(folder) }
    var count = 0
    while readdir(folder) != nil { count += 1 }
    // ".", ".." and the folder itself.
    return max(0, count - 3)
  }
}
