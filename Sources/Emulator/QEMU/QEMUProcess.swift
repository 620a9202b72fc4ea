import FobBase
import Glibc
package import SerialIO

/// A program that lives no longer than its owner: killed when it is let go of, and by the kernel
/// when our process dies, kill -9 included.
///
/// The kernel ties a child to the thread that started it, so each program has a thread, which waits
/// for its end.
package final class QEMUProcess: Sendable {
  package let path: String
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
  ///   - path: as ``find(_:package:)`` has it; no shell is asked.
  ///   - passing: descriptors of ours that it gets under the same numbers.
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

  /// Nil while it runs.
  package var end: ChildProgram.End? { child.end }

  /// What it has printed, at most the first 4 KiB.
  package var output: String { shared.output.text }

  /// Kills it and waits until it is gone; harmless when it has ended.
  package func kill() {
    child.kill()
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
}
