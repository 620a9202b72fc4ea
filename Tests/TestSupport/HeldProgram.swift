import Foundation
import Glibc
import Synchronization

/// A program that is started and killed, and whose lines are read. It is the shell's, as of
/// `Shell`.
public final class HeldProgram: Sendable {
  private let process = Mutex<pid_t?>(nil)

  public init() {}

  deinit { kill() }

  /// - Parameters:
  ///   - arguments: without a quote in them.
  ///   - line: called with each line of output and errors.
  public func start(
    _ program: String, _ arguments: [String], line: @escaping @Sendable (String) -> Void
  ) throws {
    kill()
    let words = ([program] + arguments).map { "'\($0)'" }.joined(separator: " ")
    guard let stream = popen("echo $$; exec \(words) 2>&1", "re") else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EAGAIN)
    }
    guard let first = Self.line(of: stream), let started = pid_t(first) else {
      throw POSIXError(.ECHILD)
    }
    process.withLock { $0 = started }
    let reading = Reading(stream: stream)
    Thread.detachNewThread {
      while let next = Self.line(of: reading.stream) { line(next) }
      pclose(reading.stream)
    }
  }

  /// One thread alone reads it.
  private struct Reading: @unchecked Sendable {
    let stream: UnsafeMutablePointer<FILE>
  }

  private static func line(of stream: UnsafeMutablePointer<FILE>) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    var room = 0
    defer { free(text) }
    let count = getline(&text, &room, stream)
    guard count > 0, let text else { return nil }
    let bytes = UnsafeRawBufferPointer(
      start: text, count: text[count - 1] == 10 ? count - 1 : count)
    return String(decoding: bytes, as: UTF8.self)
  }

  public func kill() {
    let ending = process.withLock { process in
      defer { process = nil }
      return process
    }
    if let ending { Glibc.kill(ending, SIGKILL) }
  }
}
