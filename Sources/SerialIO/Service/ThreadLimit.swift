import Glibc

/// Whether this process may have the threads that it needs. Libraries that we use wait for ever
/// where they get none: so it is asked before.
public enum ThreadLimit {
  /// Starts so many threads at one time, and ends them.
  /// - Throws: `IOFailure` with a hint where the system refuses one.
  public static func require(_ count: Int) throws(IOFailure) {
    let gate = try OneShot<Void>()
    var threads: [BlockingThread] = []
    // They end whatever comes of it.
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

  /// Those of a core with its API: our own, two event loops a processor and Swift's pool.
  public static var ofService: Int { 24 + 3 * max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }
}
