import FobBase
import Foundation
import Glibc
import SerialIO

extension BenchEnvironment {
  /// This machine now, and how fast its disk makes a page durable in a folder; no flush time where
  /// the folder cannot be written.
  public static func read(folder: String) -> BenchEnvironment {
    var environment = BenchEnvironment()
    environment.kernel = text("/proc/sys/kernel/osrelease") ?? ""
    environment.processor = processor(in: text("/proc/cpuinfo") ?? "")
    environment.processors = max(0, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    environment.governor = text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")
    environment.loadBefore = load()
    environment.loadAfter = environment.loadBefore
    if let times = try? FlushTimes(in: folder, count: 100) {
      environment.flushMedian = times.median
      environment.flushP99 = times.sorted[times.sorted.count * 99 / 100]
    }
    #if DEBUG
      environment.build = "debug"
    #else
      environment.build = "release"
    #endif
    return environment
  }

  /// The load of the last minute, for ``loadAfter``; zero where the kernel does not say.
  public static func load() -> Double {
    text("/proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) } ?? 0
  }

  /// The name of the first processor; the machine's architecture where /proc/cpuinfo has none, as
  /// on ARM.
  static func processor(in information: String) -> String {
    for line in information.split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2,
        ["model name", "Model"].contains(parts[0].trimmingCharacters(in: .whitespaces))
      else { continue }
      return parts[1].trimmingCharacters(in: .whitespaces)
    }
    var name = utsname()
    guard uname(&name) == 0 else { return "" }
    return withUnsafeBytes(of: name.machine) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private static func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map {
      String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }
}
