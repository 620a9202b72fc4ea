import Foundation
import Glibc
import TestSupport
import Testing

/// `fob emulate` with a board in QEMU as a process, and the QEMU that it has started.
final class QEMUKeychain {
  let process: RunningFob
  let talk: Talk
  let storePath: String

  init(in scratch: ScratchDirectory, _ board: BoardFirmware.Board = .lm3s6965evb) throws {
    storePath = scratch.path("keychain.store")
    process = try RunningFob(
      [
        "emulate", "--board", board.rawValue,
        "--firmware", try BoardFirmware.keychain(board).path(),
        "--link", scratch.path("keychain"), "--control", scratch.path("keychain.sock"),
        "--store", storePath,
      ], in: scratch)
    talk = try Talk(scratch.path("keychain.sock"))
  }

  /// The pid of its QEMU, as the kernel lists the children of all its threads.
  func machine() throws -> pid_t {
    let tasks = "/proc/\(process.pid)/task"
    let children = try FileManager.default.contentsOfDirectory(atPath: tasks).flatMap { task in
      let text = (try? String(contentsOfFile: "\(tasks)/\(task)/children", encoding: .utf8)) ?? ""
      return text.split(separator: " ").compactMap { pid_t($0) }
    }
    return try #require(children.first, "no QEMU runs: \(process.output)")
  }

  /// Whether a process runs; one that only waits to be reaped does not.
  static func isRunning(_ pid: pid_t) -> Bool {
    guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8) else {
      return false
    }
    return stat.split(separator: ")").last.map { !$0.hasPrefix(" Z") } ?? false
  }
}
