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
  public static var ofService: Int { 24 + 3 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
