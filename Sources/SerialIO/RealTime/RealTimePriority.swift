import CLinux
import FobBase
import Glibc
import Synchronization

/// The SCHED_FIFO priority that readers' threads get.
public enum RealTimePriority {
  /// Below the kernel's own interrupt threads, which stand at 50 and bring the bytes; above the
  /// priorities that ordinary programs choose.
  public static let wanted: Int32 = 40

  /// The highest priority up to ``wanted`` that this process may give. It is tried on a thread.
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

/// A resource limit of this process (getrlimit(2)).
enum ResourceLimit {
  case lockedMemory
  case realTimePriority

  private var resource: __rlimit_resource_t {
    switch self {
    case .lockedMemory: __rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue)
    case .realTimePriority: __rlimit_resource_t(__RLIMIT_RTPRIO.rawValue)
    }
  }

  /// Raises the soft limit to the hard one and returns it; nil: unlimited, 0 where the system
  /// refuses.
  func raised() -> UInt64? {
    var limit = rlimit()
    guard getrlimit(resource, &limit) == 0 else { return 0 }
    if limit.rlim_cur != limit.rlim_max {
      limit.rlim_cur = limit.rlim_max
      guard setrlimit(resource, &limit) == 0 else { return 0 }
    }
    return limit.rlim_max == rlim_t.max ? nil : UInt64(limit.rlim_max)
  }
}

/// A capability (capabilities(7)), by its number.
enum Privilege: Int {
  case lockMemory = 14
  case nice = 23

  /// Whether this process has it; false where the kernel does not tell.
  var isHeld: Bool { Self.holds(self, ofStatus: Self.status() ?? "") }

  /// - Parameter text: the content of /proc/PID/status.
  static func holds(_ privilege: Privilege, ofStatus text: String) -> Bool {
    guard let field = value(of: "CapEff", in: text), let set = UInt64(field, radix: 16) else {
      return false
    }
    return set >> UInt64(privilege.rawValue) & 1 == 1
  }

  /// A field of /proc/PID/status, up to the first space.
  static func value(of name: String, in text: String) -> String? {
    for line in text.split(separator: "\n") where line.hasPrefix(name + ":") {
      return line.dropFirst(name.utf8.count + 1).split(whereSeparator: \.isWhitespace).first
        .map(String.init)
    }
    return nil
  }

  static func status() -> String? { KernelText.read("/proc/self/status") }
}

/// A thread's place in the kernel's scheduler. Nil values leave the default.
public struct ThreadScheduling: Hashable, Sendable {
  /// SCHED_FIFO priority, 1 to 99 (sched(7)): the thread runs whenever it can, before all threads
  /// with a lower one or none, until it waits. Nil: the ordinary scheduler.
  public var priority: Int32?
  /// The number of the one processor that the thread runs on; nil: any.
  public var processor: Int?

  /// The ordinary scheduler, any processor.
  public static let standard = ThreadScheduling()

  /// A priority outside 1 to 99 is a programmer's error.
  public init(priority: Int32? = nil, processor: Int? = nil) {
    precondition(priority.map { (1...99).contains($0) } ?? true, "SCHED_FIFO has 1 to 99")
    self.priority = priority
    self.processor = processor
  }

  /// How the kernel schedules the calling thread now.
  public static func ofThisThread() throws(IOFailure) -> ThreadScheduling {
    let thread = clinux_thread_number()
    let policy = try Syscall.run("ask", "the scheduler") { sched_getscheduler(thread) }
    var parameter = sched_param()
    _ = try Syscall.run("ask", "the scheduler") { sched_getparam(thread, &parameter) }
    let allowed = try Processors.allowed()
    return ThreadScheduling(
      priority: policy & ~resetOnFork == SCHED_FIFO ? parameter.sched_priority : nil,
      processor: allowed.count == 1 ? allowed[0] : nil)
  }

  /// SCHED_RESET_ON_FORK (sched(7)), which the Glibc module does not show.
  private static let resetOnFork: Int32 = 0x4000_0000

  /// The error for a thread that could not be started with it.
  func refusal(_ code: Int32, of name: String) -> IOFailure {
    let thread = "thread \(name)"
    if code == EPERM, let priority {
      return IOFailure(
        "start", errno: code, path: thread,
        reason: "this process may not run threads by SCHED_FIFO at priority \(priority)")
    }
    if code == EINVAL, let processor {
      return IOFailure(
        "start", errno: code, path: thread, reason: "there is no processor \(processor) for it")
    }
    return IOFailure("start", errno: code, path: thread)
  }
}

/// Keeps this process's pages in memory, so that no press waits for one from the disk
/// (mlockall(2)).
public enum MemoryLock {
  /// Brings in and locks all that is mapped now. Later mappings are locked page by page as they are
  /// touched, so that only the used part of stacks and heaps counts.
  /// - Returns: how many bytes are in memory and locked now.
  /// - Throws: `IOFailure` with a hint, also for a finite RLIMIT_MEMLOCK that suffices now: later
  ///   it would make allocations fail.
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

  /// - Parameter text: the content of /proc/PID/smaps_rollup.
  static func locked(in text: String) -> Int {
    (Privilege.value(of: "Locked", in: text).flatMap(Int.init) ?? 0) * 1_024
  }
}

/// Small files of /proc and /sys.
enum KernelText {
  /// The first 16 KiB of a file; nil where it cannot be opened.
  static func read(_ path: String) -> String? {
    guard let file = try? Syscall.open(path, O_RDONLY) else { return nil }
    let number = file.number
    return withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 1) { buffer in
      var length = 0
      while length < buffer.count {
        let count = Glibc.read(number, buffer.baseAddress! + length, buffer.count - length)
        guard count > 0 else { break }
        length += count
      }
      return String(decoding: buffer[..<length], as: UTF8.self)
    }
  }

  static func write(_ text: String, to path: String) throws(IOFailure) {
    let file = try Syscall.open(path, O_WRONLY)
    let number = file.number
    let bytes = Array(text.utf8)
    _ = try Syscall.run("write", path) { Glibc.write(number, bytes, bytes.count) }
  }
}
