import CLinux
public import FobBase
import Glibc
import Synchronization

/// A thread that may block, unlike those of Swift's concurrency pool. It starts with `init`;
/// letting go of the object does not end it.
///
/// It takes no signals but those of its own faults, so that SIGTERM goes to the thread that waits
/// for it.
public final class BlockingThread: Sendable {
  private let handle: pthread_t
  private let start: Start
  private let isJoined = Mutex(false)

  /// - Parameters:
  ///   - name: as `top` and `perf` show it; the kernel keeps the first 15 bytes.
  ///   - scheduling: set before the thread runs. If the kernel refuses it, `init` throws and no
  ///     thread starts.
  ///   - body: called once on the thread, which ends when it returns.
  public init(
    name: String, scheduling: ThreadScheduling = .standard,
    _ body: @escaping @Sendable () -> Void
  ) throws(IOFailure) {
    let start = try Start(name: name, priority: scheduling.priority, body: body)
    let argument = Unmanaged.passRetained(start)
    var handle = pthread_t()
    var inherited = sigset_t()
    var blocked = BlockingThread.signalsForOthers()
    pthread_sigmask(SIG_SETMASK, &blocked, &inherited)
    let code = clinux_thread_create(
      &handle, scheduling.priority ?? 0, Int32(scheduling.processor ?? -1),
      { argument in
        let start = Unmanaged<Start>.fromOpaque(argument!).takeRetainedValue()
        _ = clinux_name_thread(start.name)
        if let priority = start.priority { _ = clinux_keep_priority(priority) }
        start.takeBody()()
        start.hasEnded.signal()
        return nil
      }, argument.toOpaque())
    pthread_sigmask(SIG_SETMASK, &inherited, nil)
    guard code == 0 else {
      argument.release()
      throw scheduling.refusal(code, of: name)
    }
    self.handle = handle
    self.start = start
  }

  /// Calls the body on a thread of its own, which nobody waits for; here where none can be started.
  public static func run(named name: String, _ body: @escaping @Sendable () -> Void) {
    if (try? BlockingThread(name: name, body)) == nil { body() }
  }

  deinit {
    isJoined.withLock { if !$0 { pthread_detach(handle) } }
  }

  /// Whether the caller runs on this thread.
  public var isCurrent: Bool { pthread_equal(handle, pthread_self()) != 0 }

  /// Waits for the thread's end. False if it has not ended in time. Never call it on the thread
  /// itself.
  public func join(within patience: Interval) -> Bool {
    precondition(!isCurrent, "a thread cannot wait for its own end")
    let deadline = BootClock.now() + patience
    return isJoined.withLock { isJoined in
      if isJoined { return true }
      // pthread_join(3) has no deadline, so the wait is here; the join itself is then short.
      let ended = try? Syscall.poll(start.hasEnded.descriptor, for: POLLIN, until: deadline)
      guard ended == POLLIN else { return false }
      isJoined = pthread_join(handle, nil) == 0
      return isJoined
    }
  }

  /// Makes the calling thread run soon after it wakes, and not give way to each that wakes later: a
  /// press waits for it. It gets no larger share of the processor.
  package static func runSoon() { _ = clinux_run_soon() }

  /// Makes the calling thread run behind others that want the processor (nice 10): for work that
  /// can wait.
  package static func runLater() { _ = setpriority(Int32(PRIO_PROCESS.rawValue), 0, 10) }

  private static func signalsForOthers() -> sigset_t {
    var signals = sigset_t()
    sigfillset(&signals)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
    return signals
  }

  private final class Start: Sendable {
    let name: String
    let priority: Int32?
    let hasEnded: EventSignal
    /// Let go of once it runs, since it often holds the owner of this thread.
    private let body: Mutex<@Sendable () -> Void>

    init(
      name: String, priority: Int32?, body: @escaping @Sendable () -> Void
    ) throws(IOFailure) {
      hasEnded = try EventSignal()
      self.priority = priority
      self.name = String(decoding: name.utf8.prefix(15), as: UTF8.self)
      self.body = Mutex(body)
    }

    func takeBody() -> @Sendable () -> Void {
      body.withLock { body in
        defer { body = {} }
        return body
      }
    }
  }
}
