import CLinux
import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// The built `fob` as a process of its own, which a test may kill at any moment.
final class RunningFob {
  let pid: pid_t
  let outputPath: String
  private let folder: ScratchDirectory
  private var status: Int32?

  static let binary = Tool.fob

  /// - Parameters:
  ///   - awaitsReady: passes `--ready-fd 3` and returns when the process is ready.
  ///   - pin: handed over on its standard input.
  ///   - through: words in front of it, a program that becomes it.
  ///   - user: whose process it is; nil: of who runs the tests. Only root can start another's.
  init(
    _ arguments: [String], in folder: ScratchDirectory, awaitsReady: Bool = true,
    pin: String? = nil, environment: [String: String?] = [:], through: [String] = [],
    as user: String? = nil
  ) throws {
    self.folder = folder
    outputPath = folder.path("output-\(UInt32.random(in: 0...UInt32.max))")
    var ready: [Int32] = [0, 0]
    try #require(pipe(&ready) == 0)
    defer { close(ready[0]) }
    for end in ready { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let input = try pin.map { try Self.file(with: $0 + "\n") }
    defer { if let input { close(input) } }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_addopen(&actions, 1, outputPath, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    posix_spawn_file_actions_adddup2(&actions, ready[1], 3)
    let become =
      user.map { ["/bin/su", "-s", "/bin/sh", "-c", "exec \"$@\"", "--", $0, "sh"] } ?? []
    let all =
      become + through + [Self.binary] + arguments + (pin == nil ? [] : ["--pin", "-"])
      + (awaitsReady ? ["--ready-fd", "3"] : [])
    var argv = all.map { strdup($0) } + [nil]
    defer { for word in argv { free(word) } }
    var variables = ProcessInfo.processInfo.environment
    variables["XDG_STATE_HOME"] = folder.path("state-home")
    variables["XDG_RUNTIME_DIR"] = folder.path("runtime")
    variables["NO_COLOR"] = "1"
    for (name, value) in environment { variables[name] = value }
    var envp = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for word in envp { free(word) } }
    var child: pid_t = 0
    let code = posix_spawn(&child, all[0], &actions, nil, &argv, &envp)
    close(ready[1])
    try #require(code == 0, "\(Self.binary) cannot be started: \(code)")
    pid = child
    if awaitsReady { try awaitReady(ready[0]) }
  }

  deinit { kill9() }

  var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }

  func kill9() {
    guard status == nil else { return }
    kill(pid, SIGKILL)
    _ = awaitEnd()
  }

  func interrupt() { kill(pid, SIGINT) }

  /// The exit code, or 128 and the signal that ended it.
  @discardableResult
  func awaitEnd(within patience: Interval = .seconds(30)) -> Int32? {
    if let status { return status }
    let deadline = BootClock.now() + patience
    var raw: Int32 = 0
    while waitpid(pid, &raw, WNOHANG) == 0 {
      guard BootClock.now() < deadline else { return nil }
      usleep(500)
    }
    status = raw & 0x7F == 0 ? raw >> 8 & 0xFF : 128 + (raw & 0x7F)
    return status
  }

  /// The largest file that it may write from now on; nil for no limit.
  func limitFileSize(_ bytes: UInt64?) throws {
    let infinity = UInt64.max
    var limit = rlimit(rlim_cur: rlim_t(bytes ?? infinity), rlim_max: rlim_t(infinity))
    try #require(clinux_prlimit(pid, Int32(RLIMIT_FSIZE.rawValue), &limit, nil) == 0)
  }

  private static func file(with text: String) throws -> Int32 {
    let file = clinux_memory_file()
    try #require(file >= 0 && text.withCString { write(file, $0, strlen($0)) } > 0)
    lseek(file, 0, SEEK_SET)
    return file
  }

  private func awaitReady(_ descriptor: Int32) throws {
    let deadline = BootClock.now() + .seconds(30)
    var line: [UInt8] = []
    while line.last != 0x0A {
      var byte: UInt8 = 0
      let events = try Syscall.poll(descriptor, for: POLLIN, until: deadline)
      let count = events == 0 ? 0 : read(descriptor, &byte, 1)
      guard count == 1 else {
        let error = errno
        let cause =
          events == 0
          ? "30 s are over"
          : count < 0
            ? "read: errno \(error)"
            : "it ended with \(awaitEnd(within: .seconds(1)).map(String.init) ?? "nothing yet")"
        Issue.record("\(Self.binary) did not become ready, \(cause): \(output)")
        throw IOFailure("start", errno: ETIMEDOUT, path: Self.binary)
      }
      line.append(byte)
    }
  }
}

/// How often a test that kills does so: 20 in the fast loop, FOB_KILLS in a soak.
enum Count {
  static let kills = ProcessInfo.processInfo.environment["FOB_KILLS"].flatMap(Int.init) ?? 20
}
