public import Foundation
import Glibc
import Testing

/// A program of the system that a test checks us against. One that is missing fails the test, with
/// the package that has it.
public enum Tool {
  private static let packages = [
    "prometheus-alertmanager": "prometheus-alertmanager", "msmtp": "msmtp", "openssl": "openssl",
    "python3": "python3", "mosquitto_sub": "mosquitto-clients",
    "mosquitto_pub": "mosquitto-clients",
  ]

  /// Our own program, beside the test bundle, where the same build put it.
  public static let fob: String = {
    let bundle = try! FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let beside = (bundle as NSString).deletingLastPathComponent + "/fob"
    return FileManager.default.isExecutableFile(atPath: beside)
      ? beside : Repository.root.path + "/.build/debug/fob"
  }()

  /// Debian's own, also where another is first on the path.
  public static func path(_ name: String) throws -> String {
    let found = ["/usr/bin", "/usr/sbin", "/usr/local/bin"].map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
    return try #require(found, "install \(packages[name] ?? name)")
  }

  public static func start(
    _ name: String, _ arguments: [String], output: FileHandle? = nil
  ) throws -> Process {
    let process = Process()
    process.executableURL = URL(filePath: try path(name))
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = output ?? FileHandle.nullDevice
    try process.run()
    return process
  }

  /// Killed, since a child has the signals blocked that the thread of a test has.
  public static func stop(_ process: Process) {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// What it prints; the test fails when it does.
  public static func output(_ name: String, _ arguments: [String], input: [UInt8] = []) throws
    -> String
  {
    // Files, since a pipe would also be held open by what other tests start meanwhile.
    let folder = try ScratchDirectory()
    try Data(input).write(to: URL(filePath: folder.path("in")))
    try Data().write(to: URL(filePath: folder.path("out")))
    let process = Process()
    process.executableURL = URL(filePath: try path(name))
    process.arguments = arguments
    process.standardInput = FileHandle(forReadingAtPath: folder.path("in"))
    process.standardOutput = FileHandle(forWritingAtPath: folder.path("out"))
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(name) failed")
    return try String(contentsOfFile: folder.path("out"), encoding: .utf8)
  }
}
