import CLinux
import Glibc

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
