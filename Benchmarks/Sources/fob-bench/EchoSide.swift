import Foundation

/// One that answers at the other end of a pty, in a process of its own.
struct EchoSide {
  let name: String
  /// What the bar is on.
  var isFloor = false
  /// Starts it on a line and a processor; -1: on any.
  let start: (_ line: String, _ processor: Int) throws -> Process

  /// Peers that have to be installed.
  static let programs = ["pyserial", "socat"]

  /// fob's first; of the others those that are there.
  static func all(python: String?) -> [EchoSide] {
    let ours = EchoSide(name: "fob") { line, processor in
      try ChildProcess.start("echo-line", ["--line", line, "--processor", "\(processor)"])
    }
    let bare = EchoSide(name: "blocking in C", isFloor: true) { line, processor in
      try ChildProcess.start("echo-bare", ["--line", line, "--processor", "\(processor)"])
    }
    return [ours, bare] + [pyserial(python), socat].compactMap(\.self)
  }

  private static func pyserial(_ python: String?) -> EchoSide? {
    guard let python, runs([python, "-c", "import serial"]) else { return nil }
    return EchoSide(name: "pyserial") { line, processor in
      try pinned(processor, [python, "Benchmarks/Python/echo.py", line])
    }
  }

  /// Pipes the line back into itself.
  private static var socat: EchoSide? {
    guard runs(["socat", "-V"]) else { return nil }
    return EchoSide(name: "socat") { line, processor in
      try pinned(processor, ["socat", "\(line),raw,echo=0", "PIPE"])
    }
  }

  private static func pinned(_ processor: Int, _ command: [String]) throws -> Process {
    try started(processor < 0 ? command : ["taskset", "-c", "\(processor)"] + command)
  }

  private static func runs(_ command: [String]) -> Bool {
    guard let process = try? started(command, quietly: true) else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  private static func started(_ command: [String], quietly: Bool = false) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = command
    if quietly {
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
    }
    try process.run()
    return process
  }
}
