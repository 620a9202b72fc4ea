import Glibc

/// This process's memory kept in memory: no press waits for a page from the disk (mlockall(2)).
public enum MemoryLock {
  /// Brings in and locks all that is mapped now; what is mapped later is locked as it is first
  /// touched, so that stacks and heaps count no more than what is used of them.
  /// - Returns: how many bytes are in memory and locked now.
  /// - Throws: `IOFailure` with a hint. A finite RLIMIT_MEMLOCK is refused though it may
  ///   suffice now: later it would make allocations fail.
  public static func take() throws(IOFailure) -> Int {
    if !Privilege.lockMemory.isHeld, let limit = ResourceLimit.lockedMemory.raised() {
      throw refusal(EPERM, "RLIMIT_MEMLOCK is \(limit / 1_024) KiB and CAP_IPC_LOCK is missing")
    }
    for flags in [MCL_CURRENT, MCL_FUTURE | onFault] {
      guard mlockall(Int32(flags)) == 0 else {
        let code = errno
        munlockall()
        throw refusal(code, IOFailure.text(of: code))
      }
    }
    return locked(in: KernelText.read("/proc/self/smaps_rollup") ?? "")
  }

  /// MCL_ONFAULT, which the Glibc module may not show.
  private static let onFault: Int32 = 4

  private static func refusal(_ code: Int32, _ obstacle: String) -> IOFailure {
    IOFailure(
      "lock", errno: code, path: "the memory of this process",
      reason: "\(obstacle); give its service LimitMEMLOCK=infinity, or its user a line"
        + " \"USER - memlock unlimited\" in /etc/security/limits.d and a new login")
  }

  /// - Parameter text: as /proc/PID/smaps_rollup has it.
  static func locked(in text: String) -> Int {
    (Privilege.value(of: "Locked", in: text).flatMap(Int.init) ?? 0) * 1_024
  }
}
