import FobBase
import Foundation
import Glibc
import TestSupport
import Testing

@testable import SerialIO

/// `fob` as a service: how it ends, what it says to its manager, what it refuses to begin with.
struct ServiceProcessTests {
  private let scratch: ScratchDirectory

  init() throws { scratch = try ScratchDirectory() }

  private func core(
    _ options: [String] = [], awaitsReady: Bool = true, environment: [String: String?] = [:],
    through: [String] = []
  ) throws -> RunningFob {
    try RunningFob(
      ["core", "--state", scratch.path("state"), "--control", scratch.path("core.sock")] + options,
      in: scratch, awaitsReady: awaitsReady, environment: environment, through: through)
  }

  // MARK: Its end

  /// Swift's backtraces took 10 to more than 90 s, in which nobody started it again.
  @Test(arguments: [SIGSEGV, SIGILL, SIGABRT])
  func `a crash ends a core at once, and dumps nothing`(fault: Int32) throws {
    let core = try core()
    let limits = try String(contentsOfFile: "/proc/\(core.pid)/limits", encoding: .utf8)
    #expect(limits.contains(#/Max core file size +0 +0 /#))
    let began = BootClock.now()
    kill(core.pid, fault)
    #expect(core.awaitEnd() == 128 + fault)
    #expect(BootClock.now() - began < .seconds(5), "\(BootClock.now() - began)")
    #expect(!core.output.contains("Crash"), "\(core.output)")
  }

  @Test func `a system that gives few threads is an error at the start, no hang`() throws {
    // The limit counts for each user but root.
    let become = geteuid() == 0 ? ["/usr/bin/setpriv", "--reuid=54321", "--clear-groups"] : []
    let core = try core(
      ["--listen", "127.0.0.1:0"], awaitsReady: false,
      through: become + ["/usr/bin/prlimit", "--nproc=6:6"])
    #expect(core.awaitEnd() == 66, "\(core.output)")
    #expect(core.output.contains("raise TasksMax= of the unit, or ulimit -u"), "\(core.output)")
  }

  /// The library behind Swift's tasks ended the core by SIGILL where its first use found none.
  @Test func `a system that gives few descriptors is an error at the start, no crash`() throws {
    let core = try core(awaitsReady: false, through: ["/usr/bin/prlimit", "--nofile=44:44"])
    #expect(core.awaitEnd() == 66, "\(core.output)")
    #expect(core.output.contains("raise LimitNOFILE= of the unit, or ulimit -n"), "\(core.output)")
  }

  // MARK: Its manager

  /// Of `$NOTIFY_SOCKET`, until there were so many signs of life.
  private func hear(
    _ signs: Int, of start: (_ environment: [String: String?]) throws -> RunningFob
  ) throws -> [String] {
    let path = scratch.path("notify")
    let manager = OwnedDescriptor(
      owning: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0), path: path)
    let address = try UnixAddress(path)
    try address.withPointer { (pointer, length) throws(IOFailure) in
      _ = try Syscall.run("bind", path) { bind(manager.number, pointer, length) }
    }
    let fob = try start(["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "300000", "WATCHDOG_PID": nil])
    var heard: [String] = []
    let deadline = BootClock.now() + .seconds(30)
    while heard.count(where: { $0 == "WATCHDOG=1" }) < signs {
      let isThere = try Syscall.poll(manager.number, for: POLLIN, until: deadline) != 0
      try #require(isThere, "\(heard): \(fob.output)")
      var bytes = [UInt8](repeating: 0, count: 64)
      let count = try bytes.withUnsafeMutableBytes { try manager.read(into: $0) }
      heard.append(String(decoding: bytes.prefix(count ?? 0), as: UTF8.self))
    }
    fob.interrupt()
    #expect(fob.awaitEnd() == 0)
    return heard
  }

  @Test func `a core tells its manager that it is ready, and goes on to show life`() throws {
    let heard = try hear(4) { try core(environment: $0) }
    #expect(heard.contains("READY=1"))
  }

  @Test func `a bridge shows life whether or not its core is reached`() throws {
    let token = scratch.path("token")
    try RemoteRig.write("fob_token", to: token)
    let heard = try hear(4) {
      try RunningFob(
        [
          "bridge", "--device", "pty:" + scratch.path("keychain"), "--core",
          "http://127.0.0.1:\(try RemoteRig.freePort())", "--token-file", token,
        ], in: scratch, environment: $0)
    }
    #expect(heard.contains("READY=1"))
  }

  // MARK: Folders

  @Test func `a runtime folder that others made or may open gets no socket, and no PIN`() throws {
    let folder = scratch.path("runtime/fob")
    try #require(
      mkdir(scratch.path("runtime"), 0o700) == 0 && mkdir(folder, 0o700) == 0
        && chmod(folder, 0o777) == 0)
    var words = "chmod 700 \(folder)"
    // Root alone can make one of somebody else's.
    if geteuid() == 0 {
      try #require(chmod(folder, 0o700) == 0 && chown(folder, 54_321, 54_321) == 0)
      words = "it belongs to user 54321"
    }
    for command in [["emulate"], ["bridge"], ["core"]] {
      let fob = try RunningFob(command, in: scratch, awaitsReady: false)
      #expect(fob.awaitEnd() == 66, "\(fob.output)")
      #expect(fob.output.contains(words), "\(fob.output)")
    }
    let spy = try UnixListener(path: folder + "/bridge.sock")
    let asking = try RunningFob(["ctl", "disarm"], in: scratch, awaitsReady: false, pin: "4711")
    #expect(asking.awaitEnd() == 66, "\(asking.output)")
    #expect(asking.output.contains(words), "\(asking.output)")
    #expect(try spy.accept() == nil)
  }

  @Test func `without a home there is no folder for all, but an error that says so`() throws {
    let fob = try RunningFob(
      ["bridge", "--control", scratch.path("bridge.sock")], in: scratch, awaitsReady: false,
      environment: ["HOME": nil, "XDG_STATE_HOME": nil])
    #expect(fob.awaitEnd() == 66)
    #expect(fob.output.contains("name a folder with --state"), "\(fob.output)")
  }

  @Test(arguments: [["bridge"], ["core", "--bench"]])
  func `a state folder that others may open is refused`(command: [String]) throws {
    let state = scratch.path("state")
    try #require(mkdir(state, 0o700) == 0 && chmod(state, 0o755) == 0)
    let fob = try RunningFob(
      command + ["--state", state, "--control", scratch.path("sock")], in: scratch,
      awaitsReady: false)
    #expect(fob.awaitEnd() == 66)
    #expect(fob.output.contains("chmod 700 \(state)"), "\(fob.output)")
  }

  // MARK: Secrets

  private func write(_ text: String, to name: String, mode: mode_t) throws -> String {
    let path = scratch.path(name)
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try #require(chmod(path, mode) == 0)
    return path
  }

  @Test func `PIN, notification channels and their secrets are taken from credentials by name`()
    throws
  {
    let folder = scratch.path("credentials")
    try #require(mkdir(folder, 0o700) == 0)
    // As systemd gives them: an access list shows as the group's bits.
    _ = try write("4711\n", to: "credentials/pin", mode: 0o440)
    _ = try write(String(repeating: "s", count: 40), to: "credentials/door", mode: 0o440)
    _ = try write(
      "sinks: [{type: webhook, url: https://door.example.org/fob, secretFile: door}]",
      to: "credentials/core.yaml", mode: 0o440)
    let core = try core(
      ["--bench", "--pin-file", "pin", "--config", "core.yaml"],
      environment: ["CREDENTIALS_DIRECTORY": folder])
    #expect(core.output.contains("the PIN is set, as given"))
    #expect(!core.output.contains("4711"), "no log has a PIN that was given")
    let stranger = try self.core(
      ["--bench", "--pin-file", scratch.path("credentials/pin"), "--state", scratch.path("other")],
      awaitsReady: false, environment: ["CREDENTIALS_DIRECTORY": nil])
    #expect(stranger.awaitEnd() == 66)
    #expect(stranger.output.contains("chmod 600"), "\(stranger.output)")
  }

  @Test func `a secret in a configuration that others may read is refused`() throws {
    let secret = String(repeating: "s", count: 40)
    let text = "sinks: [{type: webhook, url: https://door.example.org/fob, secret: \(secret)}]"
    let path = try write(text, to: "core.yaml", mode: 0o644)
    let refused = try core(["--config", path], awaitsReady: false)
    #expect(refused.awaitEnd() == 64)
    #expect(
      refused.output.contains("sinks[0].secret can be read by others: chmod 600 \(path)"),
      "\(refused.output)")
    #expect(!refused.output.contains(secret))
    try #require(chmod(path, 0o600) == 0)
    _ = try core(["--config", path])
  }
}
