import FobBase
import Glibc
package import SerialIO

/// A program that does not outlive its owner. It is killed when this object is let go of, and by
/// the kernel when our process dies, even by kill -9.
///
/// The kernel ties a child to the thread that started it, so each program has a thread of its own,
/// which waits for its end.
package final class QEMUProcess: Sendable {
  /// The program that runs, as given to `init`.
  package let path: String
  /// For messages: another process may have it once ``end`` is known.
  package let pid: Int32
  private let keeper: BlockingThread
  private let child: ChildProgram
  private let shared: Shared

  private final class Shared: Sendable {
    let hasEnded: EventSignal
    let output: BoundedOutput

    init() throws(IOFailure) {
      hasEnded = try EventSignal()
      output = try BoundedOutput(limit: 4_096)
    }
  }

  /// - Parameters:
  ///   - path: as ``find(_:package:)`` returns it; no shell is asked.
  ///   - passing: descriptors of ours, above 2, that it gets under the same numbers.
  package init(
    path: String, arguments: [String], passing: [Int32] = []
  ) throws(IOFailure) {
    let shared = try Shared()
    let gate = try OneShot<Result<ChildProgram, IOFailure>>()
    keeper = try BlockingThread(name: "qemu keeper") {
      do throws(IOFailure) {
        let output = shared.output.descriptor
        let child = try ChildProgram(
          [path] + arguments, .init(output: output, errors: output, others: passing))
        gate.open(with: .success(child))
        _ = try child.awaitEnd()
        shared.hasEnded.signal()
      } catch {
        gate.open(with: .failure(error))
      }
    }
    child = try gate.pass().get()
    pid = child.pid
    self.path = path
    self.shared = shared
  }

  deinit { kill() }

  /// Readable once it has ended.
  package var endedDescriptor: Int32 { shared.hasEnded.descriptor }

  /// How it ended; nil while it runs.
  package var end: ChildProgram.End? { child.end }

  /// The first 4 KiB of what it has printed.
  package var output: String { shared.output.text }

  /// Kills it and waits until it is gone, at most 10 s; does nothing when it has ended.
  package func kill() {
    child.kill()
    // A process that the kernel cannot end hangs in a device: the wait is bounded.
    _ = keeper.join(within: .seconds(10))
  }

  /// The first program of that name on PATH.
  /// - Parameter package: the Debian package to name where there is none.
  /// - Throws: `IOFailure` with ENOENT and that hint.
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
}
