import Foundation

/// Another part of this program, as a process of its own.
enum ChildProcess {
  static func start(_ part: String, _ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = [part] + arguments
    try process.run()
    return process
  }
}
