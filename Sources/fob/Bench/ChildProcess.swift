import FobBase
import Foundation
import Glibc
import SerialIO

/// A program as a process of its own, whose output is read line by line. It ends with this value.
struct ChildProcess: ~Copyable {
  private let process: pid_t
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
    process = try Self.spawn(
      [program] + arguments, variables, output: input.number, hearsTerminal: hearsTerminal)
    self.output = output
    self.began = began
  }

  private static func spawn(
    _ words: [String], _ variables: [String: String], output: Int32, hearsTerminal: Bool
  ) throws(IOFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    if !hearsTerminal { posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP)) }
    let environment = ProcessInfo.processInfo.environment.merging(variables) { $1 }
    var arguments = words.map { strdup($0) } + [nil]
    var settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in arguments + settings { free(text) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, words[0], &actions, &attributes, &arguments, &settings)
    guard code == 0 else { throw IOFailure("start", errno: code, path: words[0]) }
    return process
  }

  deinit {
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
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
    kill(process, SIGTERM)
    _ = try? awaitEnd(until: BootClock.now() + .seconds(10))
  }
}
