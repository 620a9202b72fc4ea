import CLinux
import FobBase
import Glibc
import SerialIO

/// A program that gets its input as a file that has no name, and is killed with all that it started
/// when it takes too long. What it prints goes nowhere: it may quote what it was given.
struct Subprocess: Sendable {
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
    let child = try ChildProgram([path] + arguments, .init(input: file.number))
    switch try child.awaitEnd(until: BootClock.now() + patience) {
    case .exited(let status): return .exited(status)
    case .killed(let signal): return .killed(signal)
    case nil:
      child.kill()
      _ = try child.awaitEnd()
      return .tookTooLong(patience)
    }
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
}
