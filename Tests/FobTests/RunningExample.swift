import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// A programme of `examples/`, or of a path, as a process of its own.
final class RunningExample {
  private let process = Process()
  private let outputPath: String

  static func path(_ name: String) -> String { Repository.root.path + "/examples/" + name }

  init(
    _ name: String, _ arguments: [String], in folder: ScratchDirectory,
    environment: [String: String] = [:]
  ) throws {
    outputPath = folder.path("example-\(UInt32.random(in: 0...UInt32.max))")
    try Data().write(to: URL(fileURLWithPath: outputPath))
    let output = try FileHandle(forWritingTo: URL(fileURLWithPath: outputPath))
    process.executableURL = URL(
      fileURLWithPath: name.hasPrefix("/") ? name : Self.path(name))
    process.arguments = arguments
    // Loopback is asked directly, whatever proxy this host has.
    process.environment = ProcessInfo.processInfo.environment
      .merging(["NO_PROXY": "*", "no_proxy": "*", "PYTHONDONTWRITEBYTECODE": "1"]) { $1 }
      .merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try output.close()
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
  }

  var output: String { (try? String(contentsOfFile: outputPath, encoding: .utf8)) ?? "" }

  /// Its exit code.
  func awaitEnd(within patience: Interval = .seconds(60)) throws -> Int32 {
    let deadline = BootClock.now() + patience
    while process.isRunning {
      try #require(BootClock.now() < deadline, "it does not end: \(output)")
      usleep(2_000)
    }
    return process.terminationStatus
  }

  func awaitOutput(_ words: String, within patience: Interval = .seconds(30)) throws {
    let deadline = BootClock.now() + patience
    while !output.contains(words) {
      try #require(
        process.isRunning && BootClock.now() < deadline, "in vain for \(words): \(output)")
      usleep(2_000)
    }
  }
}

/// A core without an account whose notification channels are those of `examples/core.yaml`.
struct ExampleCore {
  let clock: ServedClock
  let core: RunningFob
  let url: String
  let tokenFile: String

  /// - Parameter receiver: where the webhook goes in place of the file's address.
  init(in scratch: ScratchDirectory, receiver: String) throws {
    clock = try ServedClock(path: scratch.path("clock.sock"))
    let written = try String(contentsOfFile: RunningExample.path("core.yaml"), encoding: .utf8)
    let usual = "http://127.0.0.1:8788/"
    try #require(written.contains("url: " + usual))
    let config = scratch.path("core.yaml")
    try Data(written.replacing(usual, with: receiver).utf8).write(
      to: URL(fileURLWithPath: config))
    let port = try RemoteRig.freePort()
    url = "http://127.0.0.1:\(port)"
    core = try RunningFob(
      [
        "core", "--state", scratch.path("state"), "--control", scratch.path("core.sock"),
        "--config", config, "--listen", "127.0.0.1:\(port)", "--test-clock", clock.path,
      ], in: scratch)
    tokenFile = scratch.path("state") + "/admin-token"
  }
}

/// `examples/webhook/receiver.py` on a free port.
struct ExampleReceiver {
  static let secret = "example-secret-of-no-live-receiver"

  let process: RunningExample
  let url: String

  init(in scratch: ScratchDirectory) throws {
    process = try RunningExample(
      "webhook/receiver.py", ["--port", "0"], in: scratch, environment: ["FOB_SECRET": Self.secret])
    try process.awaitOutput("/\n")
    url = try #require(
      process.output.split(whereSeparator: \.isWhitespace).last { $0.hasPrefix("http://") }
    ).description
  }
}
