import FobBase
import Foundation
import Glibc
import SerialIO

/// A program as a process of its own, whose output is read line by line. It ends with this value.
struct ChildProcess: ~Copyable {
  private let process: ChildProgram
  private let output: OwnedDescriptor
  private var pending: [UInt8] = []
  /// It has closed its output, as it does at the latest when it ends.
  private(set) var hasEnded = false
  /// CLOCK_BOOTTIME right before it was asked for.
  let began: Instant

  /// The program that is running now.
  static var ownProgram: String {
    (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? "fob"
  }

  /// - Parameters:
  ///   - program: its path; by default this program once more.
  ///   - variables: that its environment has beside or in place of this one's.
  ///   - hearsTerminal: Ctrl-C ends it, too; else this program has to.
  init(
    _ arguments: [String], program: String = ChildProcess.ownProgram,
    variables: [String: String] = [:], hearsTerminal: Bool = true
  ) throws(IOFailure) {
    var ends: [Int32] = [-1, -1]
    _ = try Syscall.run("make", "a pipe") { pipe(&ends) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let input = OwnedDescriptor(owning: ends[1], path: "a pipe")
    let output = OwnedDescriptor(owning: ends[0], path: "a pipe")
    let began = BootClock.now()
    process = try ChildProgram(
      [program] + arguments, .init(output: input.number, errors: STDERR_FILENO),
      variables: variables.map { "\($0.key)=\($0.value)" }, hearsTerminal: hearsTerminal)
    self.output = output
    self.began = began
  }

  /// Its next line and when it was read; nil at the end of its output or at the deadline.
  mutating func line(until deadline: Instant) throws(IOFailure) -> (text: String, at: Instant)? {
    while true {
      if let end = pending.firstIndex(of: 0x0A) {
        let text = String(decoding: pending[..<end], as: UTF8.self)
        pending.removeSubrange(...end)
        return (text, BootClock.now())
      }
      guard !hasEnded, BootClock.now() < deadline else { return nil }
      guard try Syscall.poll(output.number, for: POLLIN, until: deadline) != 0 else { continue }
      var buffer = [UInt8](repeating: 0, count: 4_096)
      let number = output.number
      let count = try Syscall.run("read", "its output") { read(number, &buffer, buffer.count) }
      hasEnded = count == 0
      pending += buffer[..<count]
    }
  }

  /// Leaves what it says unread, until it ends.
  /// - Returns: false where it has not by the deadline.
  mutating func awaitEnd(until deadline: Instant) throws(IOFailure) -> Bool {
    while try line(until: deadline) != nil {}
    return hasEnded
  }

  /// Asks it to end in good order, and waits for that.
  consuming func stop() {
    process.terminate()
    _ = try? awaitEnd(until: BootClock.now() + .seconds(10))
  }
}
