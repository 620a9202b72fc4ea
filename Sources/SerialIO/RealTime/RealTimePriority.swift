import CLinux
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

/// What getrlimit(2) tells of a resource, and how far this process may go by itself.
enum ResourceLimit {
  case lockedMemory
  case realTimePriority

  private var resource: __rlimit_resource_t {
    switch self {
    case .lockedMemory: __rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue)
    case .realTimePriority: __rlimit_resource_t(__RLIMIT_RTPRIO.rawValue)
    }
  }

  /// The hard limit, to which the soft one is raised; nil: there is none.
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

/// What this process may do beyond any other (capabilities(7)).
enum Privilege: Int {
  case lockMemory = 14
  case nice = 23

  /// As the kernel has it for this process; false where it does not tell.
  var isHeld: Bool { Self.holds(self, ofStatus: Self.status() ?? "") }

  /// - Parameter text: as /proc/PID/status has it.
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

/// What a thread asks of the kernel's scheduler. What is nil is as for any other thread.
public struct ThreadScheduling: Hashable, Sendable {
  /// SCHED_FIFO at this priority (sched(7)): the thread runs whenever it can, before all that have
  /// none or a lower one, until it waits.
  public var priority: Int32?
  /// The one processor that it runs on, as the kernel numbers them.
  public var processor: Int?

  public static let standard = ThreadScheduling()

  public init(priority: Int32? = nil, processor: Int? = nil) {
    precondition(priority.map { (1...99).contains($0) } ?? true, "SCHED_FIFO has 1 to 99")
    self.priority = priority
    self.processor = processor
  }

  /// What the kernel has made of it for the calling thread.
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

  /// Why no thread could be started with it.
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

/// Small files of /proc and /sys.
enum KernelText {
  /// Its first 16 KiB; nil where it cannot be read.
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
