import FobBase
import Foundation
import Glibc
import SerialIO

/// The resources that this process uses, as the kernel counts them.
public struct ProcessUsage: Sendable {
  /// Processor time by the name of the thread, µs. Threads that have ended are not in it.
  public var threadTimes: [String: Int64] = [:]
  /// User and system time of the process, threads that have ended included, µs.
  public var processorTime: Int64 = 0
  /// Resident memory (VmRSS), bytes.
  public var resident = 0
  /// Threads alive.
  public var threads = 0
  /// Open file descriptors.
  public var descriptors = 0
  /// Instances of inotify(7) among them.
  public var inotify = 0

  /// Reads getrusage(2) and /proc/self; what cannot be read is 0.
  public static func now() -> ProcessUsage {
    var usage = ProcessUsage()
    var total = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &total)
    usage.processorTime = microseconds(total.ru_utime) + microseconds(total.ru_stime)
    for task in entries("/proc/self/task") {
      guard let (name, time) = thread("/proc/self/task/\(task)/schedstat", task) else { continue }
      usage.threadTimes[name, default: 0] += time
      usage.threads += 1
    }
    for entry in entries("/proc/self/fd") {
      usage.descriptors += 1
      let target = try? FileManager.default.destinationOfSymbolicLink(
        atPath: "/proc/self/fd/\(entry)")
      if target?.hasPrefix("anon_inode:inotify") == true { usage.inotify += 1 }
    }
    usage.resident = status("VmRSS:") * 1_024
    return usage
  }

  /// Processor time of the threads of this name, µs; `before` is the usage at the beginning of the
  /// stretch.
  public func spent(by name: String, since before: ProcessUsage) -> Int64 {
    threadTimes[name, default: 0] - before.threadTimes[name, default: 0]
  }

  /// The use of each resource, beside the machine's limit.
  /// - Parameters:
  ///   - busy: processor time of the stretch, µs.
  ///   - stretch: its length, µs.
  public func uses(busy: Int64, in stretch: Int64) -> [ResourceUse] {
    let processors = Processors.online
    var uses = [
      ResourceUse(
        .processor, used: Int(busy * 1_000 / max(1, stretch)), limit: processors * 1_000),
      ResourceUse(.memory, used: resident, limit: resident + Self.availableMemory),
      ResourceUse(.threads, used: threads, limit: Self.maxThreads),
    ]
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
      uses.append(
        ResourceUse(.descriptors, used: descriptors, limit: Int(clamping: limit.rlim_cur)))
    }
    if let most = Self.number("/proc/sys/fs/inotify/max_user_instances") {
      uses.append(ResourceUse(.inotify, used: inotify, limit: most))
    }
    return uses
  }

  private static var availableMemory: Int {
    let line = text("/proc/meminfo").split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }
    return (line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 1_024
  }

  private static var maxThreads: Int {
    [
      "/proc/sys/kernel/threads-max", "/proc/sys/kernel/pid_max", "/sys/fs/cgroup/pids.max",
    ].compactMap(number).min() ?? .max
  }

  /// The name, and the time that the thread has run.
  private static func thread(_ path: String, _ task: String) -> (String, Int64)? {
    guard let nanoseconds = text(path).split(separator: " ").first.flatMap({ Int64($0) }) else {
      return nil
    }
    let name = text("/proc/self/task/\(task)/comm").trimmingCharacters(in: .newlines)
    return (name, nanoseconds / 1_000)
  }

  private static func status(_ name: String) -> Int {
    let line = text("/proc/self/status").split(separator: "\n").first { $0.hasPrefix(name) }
    let words = line?.dropFirst(name.count).split(whereSeparator: \.isWhitespace)
    return words?.first.flatMap { Int($0) } ?? 0
  }

  private static func number(_ path: String) -> Int? {
    Int(text(path).trimmingCharacters(in: .whitespacesAndNewlines))
  }

  private static func text(_ path: String) -> String {
    (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
  }

  private static func entries(_ path: String) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
  }

  private static func microseconds(_ time: timeval) -> Int64 {
    Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_usec)
  }
}
