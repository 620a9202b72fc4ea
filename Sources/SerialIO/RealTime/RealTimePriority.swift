import FobBase
import Glibc
import Synchronization

/// The SCHED_FIFO priority that readers' threads get.
public enum RealTimePriority {
  /// Below the kernel's own interrupt threads, which stand at 50 and bring the bytes; above the
  /// priorities that ordinary programs choose.
  public static let wanted: Int32 = 40

  /// The highest up to ``wanted`` that this process may give, tried on a thread.
  /// - Throws: `IOFailure` with EPERM and a hint where it may give none.
  public static func permitted() throws(IOFailure) -> Int32 {
    let limit = Privilege.nice.isHeld ? nil : ResourceLimit.realTimePriority.raised()
    let priority = min(wanted, limit.map { Int32(clamping: $0) } ?? wanted)
    guard priority > 0 else {
      throw IOFailure(
        "run threads by", errno: EPERM, path: "SCHED_FIFO",
        reason: "this process may not: RLIMIT_RTPRIO is 0 and CAP_SYS_NICE is missing; give its"
          + " service LimitRTPRIO=\(wanted), or its user a line \"USER - rtprio \(wanted)\" in"
          + " /etc/security/limits.d and a new login")
    }
    try tryOut(priority)
    return priority
  }

  private static func tryOut(_ priority: Int32) throws(IOFailure) {
    do throws(IOFailure) {
      let found = Mutex<ThreadScheduling?>(nil)
      let trial = try BlockingThread(
        name: "trial", scheduling: ThreadScheduling(priority: priority)
      ) { found.withLock { $0 = try? .ofThisThread() } }
      guard trial.join(within: .seconds(5)), found.withLock({ $0 })?.priority == priority else {
        throw IOFailure(
          "run threads by", errno: EPERM, path: "SCHED_FIFO",
          reason: "the kernel has taken priority \(priority) and does not keep it")
      }
    } catch {
      guard error.errno == EPERM, error.path.hasPrefix("thread") else { throw error }
      throw IOFailure(
        "run threads by", errno: EPERM, path: "SCHED_FIFO",
        reason: "the control group that it is in grants no real-time (cpu.rt_runtime_us is 0):"
          + " start it in another, or leave --realtime out")
    }
  }
}
