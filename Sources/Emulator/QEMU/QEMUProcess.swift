import CLinux
import FobBase
import Glibc
package import SerialIO
import Synchronization

/// A program that lives no longer than its owner: killed when it is let go of, and by the kernel
/// when our process dies, kill -9 included.
///
/// The kernel ties a child to the thread that started it, so each program has a thread, which waits
/// for its end.
package final class QEMUProcess: Sendable {
  package enum End: Hashable, Sendable, CustomStringConvertible {
    case exited(Int32)
    case killed(Int32)

    package var description: String {
      switch self {
      case .exited(let status): "it ended with status \(status)"
      case .killed(let signal): "it was ended by signal \(signal)"
      }
    }
  }

  package let path: String
  package let pid: Int32
  private let keeper: BlockingThread
  private let shared: Shared

  private final class Shared: Sendable {
    let hasEnded: EventSignal
    let output: OwnedDescriptor
    let end = Mutex<End?>(nil)

    init() throws(IOFailure) {
      hasEnded = try EventSignal()
      output = OwnedDescriptor(
        owning: try Syscall.run("create", "a file in memory") { clinux_memory_file() },
        path: "a file in memory")
    }

    /// The pid is ours until it is reaped, and that is done where nobody can send it a signal.
    func reap(_ pid: pid_t) {
      var info = siginfo_t()
      _ = try? Syscall.run("wait for", "a process") {
        waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT)
      }
      end.withLock { end in
        var status: Int32 = 0
        _ = waitpid(pid, &status, 0)
        let signal = status & 0x7F
        end = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
      }
      hasEnded.signal()
    }
  }

  /// - Parameters:
  ///   - path: as ``find(_:package:)`` has it; no shell is asked.
  ///   - passing: descriptors of ours that it gets under the same numbers.
  package init(
    path: String, arguments: [String], passing: [Int32] = []
  ) throws(IOFailure) {
    let shared = try Shared()
    let gate = try Gate<Result<pid_t, IOFailure>>()
    keeper = try BlockingThread(name: "qemu keeper") {
      do throws(IOFailure) {
        let pid = try Self.spawn([path] + arguments, shared.output.number, passing)
        gate.open(with: .success(pid))
        shared.reap(pid)
      } catch {
        gate.open(with: .failure(error))
      }
    }
    pid = try gate.pass().get()
    self.path = path
    self.shared = shared
  }

  deinit { kill() }

  /// Readable once it has ended.
  package var endedDescriptor: Int32 { shared.hasEnded.descriptor }

  /// Nil while it runs.
  package var end: End? { shared.end.withLock { $0 } }

  /// What it has printed, at most the first 4 KiB.
  package var output: String {
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = pread(shared.output.number, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }

  /// Kills it and waits until it is gone; harmless when it has ended.
  package func kill() {
    shared.end.withLock { if $0 == nil { _ = Glibc.kill(pid, SIGKILL) } }
    // One that the kernel cannot end hangs in a device; it is not waited for without end.
    _ = keeper.join(within: .seconds(10))
  }

  /// The first program of that name on PATH.
  /// - Parameter package: what to install where there is none, as Debian calls it.
  package static func find(_ name: String, package: String) throws(IOFailure) -> String {
    let folders = getenv("PATH").map { String(cString: $0) } ?? ""
    for folder in folders.split(separator: ":") {
      let path = "\(folder)/\(name)"
      if access(path, X_OK) == 0 { return path }
    }
    throw IOFailure(
      "start", errno: ENOENT, path: name,
      reason: "it is not on PATH; on Debian: apt-get install \(package)")
  }

  private static func spawn(
    _ words: [String], _ output: Int32, _ passing: [Int32]
  ) throws(IOFailure) -> pid_t {
    let copies = words.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return try Syscall.run("start", words[0]) {
      clinux_spawn_tied(words[0], copies, output, passing, Int32(passing.count))
    }
  }
}
