import CLinux
public import FobBase
import Glibc
import Synchronization

/// Another program that runs as our child.
///
/// It inherits only the descriptors that it is given. The kernel kills it when the thread that
/// started it ends, and so when our process dies in whatever way: keep that thread until the
/// program has ended. Programs that it starts in turn hold none of our descriptors; `kill` and
/// `killAll` end them, too.
public final class ChildProgram: Sendable {
  /// How a program ended: its exit status, or the number of the signal that killed it.
  public enum End: Hashable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case killed(Int32)

    /// - Parameter status: as wait(2) gives it.
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

  /// Which of our descriptors the program gets; they stay ours to close.
  public struct Descriptors: Sendable {
    /// Standard input; nil: /dev/null.
    public var input: Int32?
    /// Standard output; nil: /dev/null.
    public var output: Int32?
    /// Standard error; nil: /dev/null.
    public var errors: Int32?
    /// More descriptors, all above 2; the program has them under the same numbers.
    public var others: [Int32] = []

    /// /dev/null for each that is not given.
    public init(
      input: Int32? = nil, output: Int32? = nil, errors: Int32? = nil, others: [Int32] = []
    ) {
      self.input = input
      self.output = output
      self.errors = errors
      self.others = others
    }
  }

  /// Programs that were started and not reaped. Once reaped, a pid may be another process's, so
  /// signals are sent under this lock alone.
  private static let running = Mutex<Set<pid_t>>([])

  /// Another process may have it once ``end`` is known: send signals by `kill` and `terminate`.
  public let pid: Int32
  private let path: String
  private let hasOwnGroup: Bool
  private let ended = Mutex<End?>(nil)

  /// - Parameters:
  ///   - words: the path, then its arguments; no shell is asked.
  ///   - descriptors: those of ours that it gets; they stay ours to close.
  ///   - variables: its whole environment, each as `NAME=value`.
  ///   - hearsTerminal: whether it stays in our process group, so that Ctrl-C reaches it, too.
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

  /// How it ended; nil while that is not known. Only ``awaitEnd(until:)`` finds out.
  public var end: End? { ended.withLock { $0 } }

  /// Waits for the program's end and reaps it; one thread at a time.
  /// - Returns: nil at the deadline (CLOCK_BOOTTIME), to which it looks every 5 ms; without one it
  ///   waits for ever.
  public func awaitEnd(until deadline: Instant? = nil) throws(IOFailure) -> End? {
    if let end { return end }
    while true {
      var info = siginfo_t()
      // WNOWAIT: `reap` takes it under the lock, so that the pid stays its own until then.
      let patience = deadline == nil ? 0 : WNOHANG
      _ = try Syscall.run("wait for", path) {
        waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT | patience)
      }
      // The kernel leaves si_signo 0 if nothing has ended.
      if info.si_signo == SIGCHLD { return reap() }
      guard let deadline, BootClock.now() < deadline else { return nil }
      var nothing = pollfd()
      _ = try Syscall.poll(
        &nothing, count: 0, until: min(deadline, BootClock.now() + .milliseconds(5)))
    }
  }

  /// Sends SIGKILL to the program and to all in its process group; does nothing once it is reaped.
  public func kill() { Self.running.withLock { if $0.contains(pid) { send(SIGKILL) } } }

  /// Sends SIGTERM to the program and to all in its process group; does nothing once it is reaped.
  public func terminate() { Self.running.withLock { if $0.contains(pid) { send(SIGTERM) } } }

  /// Kills all programs that run, each with its process group: for the end of our process. Programs
  /// started afterwards die with our process.
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
