import CLinux
import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

@testable import fob

/// The real-time options of the built `fob`: what they say is so, or they end it with a hint.
@Suite struct RealTimeOptionsTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private static let mayAll = getuid() == 0

  /// The thread of this name, as /proc shows it.
  private func thread(_ name: String, of process: pid_t) throws -> pid_t {
    let folder = "/proc/\(process)/task"
    for task in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let comm = try? String(contentsOfFile: "\(folder)/\(task)/comm", encoding: .utf8)
      if comm == name + "\n" { return try #require(pid_t(task)) }
    }
    throw IOFailure("find", errno: ESRCH, path: "thread \(name)")
  }

  private func processors(of thread: pid_t) -> [Int] {
    var set = [UInt8](repeating: 0, count: 1_024)
    let count = Int(clinux_processors(thread, &set, set.count))
    return (0..<max(0, count) * 8).filter { set[$0 / 8] >> ($0 % 8) & 1 == 1 }
  }

  private func bridge(_ options: [String], as user: String? = nil) throws -> RunningFob {
    try RunningFob(
      [
        "bridge", "--device", "pty:" + scratch.path("keychain"), "--control",
        scratch.path("bridge.sock"), "--state", scratch.path("state"),
      ] + options, in: scratch, awaitsReady: user == nil, as: user)
  }

  @Test func `the reader of a running bridge has its processor, all else has the others`() throws {
    let all = try Processors.allowed()
    try #require(all.count > 1, "one processor alone: see the refusal below")
    let keychain = try RunningFob(
      [
        "emulate", "--link", scratch.path("keychain"), "--control", scratch.path("keychain.sock"),
        "--store", scratch.path("keychain.store"),
      ], in: scratch)
    defer { keychain.kill9() }
    let options = ["--cpu", "\(all[1])"] + (Self.mayAll ? ["--realtime", "--lock-memory"] : [])
    let bridge = try bridge(options)
    defer { bridge.kill9() }
    let deadline = BootClock.now() + .seconds(30)
    while !bridge.output.contains("linked"), BootClock.now() < deadline { usleep(2_000) }
    let reader = try thread("reader", of: bridge.pid)
    #expect(processors(of: reader) == [all[1]])
    let others = all.filter { $0 != all[1] }
    for name in ["commit", "timer", "events"] {
      #expect(processors(of: try thread(name, of: bridge.pid)) == others)
    }
    #expect(
      bridge.output.contains(
        "readers on processor \(all[1]), all else on \(Processors.text(others))"))
    guard Self.mayAll else { return }
    #expect(sched_getscheduler(reader) & 0xFF == SCHED_FIFO)
    #expect(sched_getscheduler(try thread("commit", of: bridge.pid)) == 0)
    #expect(bridge.output.contains("readers by SCHED_FIFO at priority 40"))
    #expect(bridge.output.firstMatch(of: /memory: [1-9][0-9]* MB locked/) != nil)
    let status = try String(contentsOfFile: "/proc/\(bridge.pid)/status", encoding: .utf8)
    #expect(status.firstMatch(of: /VmLck:\s+[1-9]/) != nil)
  }

  @Test(
    arguments: [
      ("--realtime", "LimitRTPRIO=40"), ("--lock-memory", "LimitMEMLOCK=infinity"),
    ])
  func `who may not is told the fix, and nothing is begun`(
    option: String, hint: String
  ) throws {
    // Without rights of its own, and no limit that gives them: as root another user's process.
    let bridge = try bridge([option], as: Self.mayAll ? "nobody" : nil)
    #expect(bridge.awaitEnd() == ExitStatus.refused.rawValue)
    #expect(bridge.output.contains(hint))
    #expect(!FileManager.default.fileExists(atPath: scratch.path("state")))
  }

  @Test(
    arguments: [
      (["run", "--cpu", "4096"], "may run on"), (["run", "--cpu=-1"], "from 0 on"),
      (["run", "--low-latency"], "is for serial ports"),
      (["bridge", "--device", "pty:/nowhere", "--low-latency"], "is for serial ports"),
      (["bench", "realtime", "--low-latency"], "is for serial ports"),
      (["bench", "realtime", "--pairs", "2"], "3 to 100"),
      (["bench", "start", "--runs", "0"], "1 to 100000"),
    ])
  func `what makes no sense is refused at once`(arguments: [String], words: String) throws {
    let fob = try RunningFob(arguments, in: scratch, awaitsReady: false)
    #expect(fob.awaitEnd() == ExitStatus.usage.rawValue)
    #expect(fob.output.contains(words))
  }

  @Test func `a serial port may be asked for low latency, beside other devices too`() throws {
    let fob = try RunningFob(
      [
        "bridge", "--device", "serial:" + scratch.path("ttyUSB0"), "unix:" + scratch.path("socket"),
        "--control", scratch.path("bridge.sock"), "--state", scratch.path("state"),
        "--low-latency",
      ], in: scratch)
    defer { fob.kill9() }
    #expect(fob.output.contains("serial ports are asked for low_latency as they are opened"))
  }
}
