import Foundation
import Glibc

/// What the kernel says of this process (R111). What cannot be read is 0.
struct ProcessFacts: Encodable {
  /// Memory that it has now, and the most that it had, in bytes.
  let memory: Int64
  let memoryPeak: Int64
  /// When the file of the program was made, µs since 1970.
  let builtAt: Int64
  #if DEBUG
    let build = "debug"
  #else
    let build = "release"
  #endif

  static var now: ProcessFacts {
    let lines = ((try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? "")
      .split(separator: "\n")
    func kibibytes(_ name: String) -> Int64 {
      let words = lines.first { $0.hasPrefix(name) }?.split(whereSeparator: \.isWhitespace)
      return words?.dropFirst().first.flatMap { Int64($0) } ?? 0
    }
    var program = stat()
    let made = stat("/proc/self/exe", &program) == 0 ? Int64(program.st_mtim.tv_sec) : 0
    return ProcessFacts(
      memory: kibibytes("VmRSS:") << 10, memoryPeak: kibibytes("VmHWM:") << 10,
      builtAt: made * 1_000_000)
  }
}
