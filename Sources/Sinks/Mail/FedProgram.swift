import CLinux
import FobBase
import Foundation
import Glibc
import SerialIO

/// A program that gets its input as a file that has no name, and is killed with all that it started
/// when it takes too long. What it prints goes nowhere: it may quote what it was given.
struct FedProgram: Sendable {
  enum End: Equatable, CustomStringConvertible {
    case exited(Int32)
    case killed(Int32)
    case tookTooLong(Interval)

    /// In the words of sysexits.h where it has one.
    var description: String {
      switch self {
      case .exited(let status): "ended with status \(status)" + End.meaning(of: status)
      case .killed(let signal): "was ended by signal \(signal)"
      case .tookTooLong(let patience):
        "did not end within \(patience.microseconds / 1_000) ms and was killed"
      }
    }

    private static func meaning(of status: Int32) -> String {
      switch status {
      case 64: ": it was called with arguments that it does not know"
      case 65, 67: ": it refuses the address"
      case 68, 69: ": its mail server cannot be reached"
      case 75: ": it cannot send now, and may later"
      case 77: ": its mail server refuses its password"
      case 78: ": its configuration is wrong"
      case 127: ": it could not be started"
      default: ""
      }
    }
  }

  let path: String
  let arguments: [String]
  var patience = Interval.seconds(30)

  func run(input: [UInt8]) throws(IOFailure) -> End {
    let file = try unnamedFile(input)
    let child = try spawn(input: file.number)
    return try end(of: child)
  }

  /// In memory: nothing of it stays on a disk, and whoever reads none of it blocks nobody.
  private func unnamedFile(_ bytes: [UInt8]) throws(IOFailure) -> OwnedDescriptor {
    let number = try Syscall.run("create", "a file in memory") { clinux_memory_file() }
    let file = OwnedDescriptor(owning: number, path: "a file in memory")
    var at = 0
    while at < bytes.count {
      at += try Syscall.run("write", file.path) {
        bytes.withUnsafeBytes { write(number, $0.baseAddress! + at, $0.count - at) }
      }
    }
    _ = try Syscall.run("rewind", file.path) { lseek(number, 0, SEEK_SET) }
    return file
  }

  /// In a process group of its own, with no signal blocked, and none of our descriptors.
  private func spawn(input: Int32) throws(IOFailure) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    for output: Int32 in [1, 2] {
      posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setpgroup(&attributes, 0)
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
    var child = pid_t()
    let words = ([path] + arguments).map { strdup($0) } + [nil]
    let variables = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + variables { free(text) } }
    let code = posix_spawn(&child, path, &actions, &attributes, words, variables)
    guard code == 0 else { throw IOFailure("start", errno: code, path: path) }
    return child
  }

  private func end(of child: pid_t) throws(IOFailure) -> End {
    let latest = BootClock.now() + patience
    var status: Int32 = 0
    while true {
      let ended = try Syscall.run("wait for", path) { waitpid(child, &status, WNOHANG) }
      if ended == child { return Self.end(status) }
      guard BootClock.now() < latest else { break }
      // A descriptor of the process could be waited on, but only since Linux 5.3.
      var nothing = pollfd()
      let soon = min(latest, BootClock.now() + .milliseconds(5))
      _ = try Syscall.poll(&nothing, count: 0, until: soon)
    }
    kill(-child, SIGKILL)
    _ = try Syscall.run("wait for", path) { waitpid(child, &status, 0) }
    return .tookTooLong(patience)
  }

  /// As wait(2) has it.
  private static func end(_ status: Int32) -> End {
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(signal)
  }
}
