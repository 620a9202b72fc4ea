import CLinux
public import FobBase
import Glibc
import Synchronization

/// A program of others that runs as our child.
///
/// It gets no descriptor but those it is given. The kernel kills it when the thread that started it
/// ends, and so with our process, however that dies: that thread stays until the program has ended.
/// What it has started in turn holds nothing of ours, and is killed with it by `kill` and
/// `killAll`.
public final class ChildProgram: Sendable {
  public enum End: Hashable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case killed(Int32)

    /// As wait(2) has it.
    init(status: Int32) {
      let signal = status & 0x7F
      self = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
    }

    public var description: String {
      switch self {
      case .exited(let status): "it ended with status \(status)"
      case .killed(let signal): "it was ended by signal \(signal)"
      }
    }
  }

  /// What it gets of ours; nil: /dev/null.
  public struct Descriptors: Sendable {
    public var input: Int32?
    public var output: Int32?
    public var errors: Int32?
    /// Under the same numbers, above 2.
    public var others: [Int32] = []

    public init(
      input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil, others: [Int32] = []
    ) {
      self.input = input
      self.output = output
      self.errors = errors
      self.others = others
    }
  }

  /// Those with a process group of their own that have not been reaped. A pid is another's from
  /// then on, so no signal is sent but under this lock.
  private static let running = Mutex<Set<pid_t>>([])

  public let pid: Int32
  private let path: String
  private let hasOwnGroup: Bool
  private let ended = Mutex<End?>(nil)

  /// - Parameters:
  ///   - words: the path, then its arguments; no shell is asked.
  ///   - variables: each as `NAME=value`, in place of ours.
  ///   - hearsTerminal: stays in our process group, so that Ctrl-C reaches it, too.
  public init(
    _ words: [String], _ descriptors: Descriptors, variables: [String] = [],
    hearsTerminal: Bool = false
  ) throws(IOFailure) {
    path = words[0]
    hasOwnGroup = !hearsTerminal
    let words = words.map { strdup($0) } + [nil]
    let variables = variables.map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    let path = path
    let hasOwnGroup = hasOwnGroup
    pid = try Self.running.withLock { (running) throws(IOFailure) in
      let pid = try Syscall.run("start", path) {
        words.withUnsafeBufferPointer { words in
          variables.withUnsafeBufferPointer { variables in
            descriptors.others.withUnsafeBufferPointer { others in
              var program = clinux_program(
                path: words[0], words: words.baseAddress, variables: variables.baseAddress,
                input: descriptors.input ?? -1, output: descriptors.output ?? -1,
                errors: descriptors.errors ?? -1, kept: others.baseAddress,
                kept_count: Int32(others.count), has_own_group: hasOwnGroup ? 1 : 0)
              return clinux_spawn(&program)
            }
          }
        }
      }
      running.insert(pid)
      return pid
    }
  }

  deinit {
    guard ended.withLock({ $0 == nil }) else { return }
    kill()
    _ = try? awaitEnd()
  }

  /// Nil while it is not known to have ended.
  public var end: End? { ended.withLock { $0 } }

  /// Waits for its end; one thread at a time.
  /// - Returns: nil at the deadline (CLOCK_BOOTTIME).
  public func awaitEnd(until deadline: Instant? = nil) throws(IOFailure) -> End? {
    if let end { return end }
    while true {
      var info = siginfo_t()
      // Left to be reaped, so that its pid is its own until that is done under the lock.
      let patience = deadline == nil ? 0 : WNOHANG
      _ = try Syscall.run("wait for", path) {
        waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT | patience)
      }
      // Where nothing has ended the kernel leaves it 0.
      if info.si_signo == SIGCHLD { return reap() }
      guard let deadline, BootClock.now() < deadline else { return nil }
      var nothing = pollfd()
      _ = try Syscall.poll(
        &nothing, count: 0, until: min(deadline, BootClock.now() + .milliseconds(5)))
    }
  }

  /// Ends it at once, with what it has started; harmless when it has ended.
  public func kill() { Self.running.withLock { if $0.contains(pid) { send(SIGKILL) } } }

  /// Asks it to end; harmless when it has ended.
  public func terminate() { Self.running.withLock { if $0.contains(pid) { send(SIGTERM) } } }

  /// Ends all that run, each with what it has started: when our process ends. Those that are
  /// started afterwards die with it.
  public static func killAll() {
    running.withLock { running in
      for pid in running { _ = Glibc.kill(getpgid(pid) == pid ? -pid : pid, SIGKILL) }
    }
  }

  private func send(_ signal: Int32) { _ = Glibc.kill(hasOwnGroup ? -pid : pid, signal) }

  private func reap() -> End {
    var status: Int32 = 0
    Self.running.withLock { running in
      _ = waitpid(pid, &status, 0)
      running.remove(pid)
    }
    let end = End(status: status)
    ended.withLock { $0 = end }
    return end
  }
}
