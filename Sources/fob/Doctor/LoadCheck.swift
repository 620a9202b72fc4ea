import CDispatch
import CLinux
import Glibc

/// Processors, and how busy they are.
struct LoadCheck: BenchCheck {
  let processors: Int
  /// Of the last minute, in hundredths; nil: unknown.
  let load: Int?

  init(_ bench: BenchRoot) {
    processors = (bench.text("/proc/cpuinfo") ?? "").split(whereSeparator: \.isNewline)
      .count { $0.hasPrefix("processor") }
    load = bench.text("/proc/loadavg")?.split(separator: " ").first.flatMap { Double($0) }
      .map { Int(($0 * 100).rounded()) }
  }

  var findings: [Finding] {
    let count = "\(max(1, processors)) processor\(processors > 1 ? "s" : "")"
    guard let load else { return [.ok("load", count)] }
    let hundredths = load % 100
    let words = "\(count), load \(load / 100).\(hundredths < 10 ? "0" : "")\(hundredths)"
    // More wish to run than can, by half.
    return [
      2 * load > 3 * 100 * max(1, processors)
        ? .warning(
          "load", "\(words): times measured now are those of a busy machine",
          "end what runs beside the bench")
        : .ok("load", words)
    ]
  }
}

/// Programs that open serial ports by themselves.
struct RivalCheck: BenchCheck {
  static let isOfUSB = true

  let modemManagerRuns: Bool
  let ruleCounts: Bool
  let brlttyRuns: Bool
  /// Its own rule, which starts it for some adapters.
  let brlttyHasRule: Bool

  init(_ bench: BenchRoot) {
    modemManagerRuns = bench.runs("ModemManager")
    ruleCounts = RuleCheck(bench).counts
    brlttyRuns = bench.runs("brltty")
    brlttyHasRule = RuleCheck.folders.contains { folder in
      bench.entries(folder).contains { $0.contains("brltty") && $0.hasSuffix(".rules") }
    }
  }

  var findings: [Finding] { [modemManager, brltty] }

  private var modemManager: Finding {
    guard modemManagerRuns else { return .ok("modemmanager", "it does not run") }
    return ruleCounts
      ? .ok("modemmanager", "it runs, and the rule keeps it away from keychains")
      : .error(
        "modemmanager", "it runs and will try each keychain as a modem for some seconds",
        "make install-udev keeps it away")
  }

  private var brltty: Finding {
    guard brlttyRuns || brlttyHasRule else { return .ok("brltty", "it is not installed") }
    return .warning(
      "brltty",
      "it is \(brlttyRuns ? "running" : "installed") and takes some serial adapters (FTDI, CP210x,"
        + " CH340) for braille displays",
      "sudo apt remove brltty, where nobody needs it")
  }
}

/// What this process may use at most: descriptors, and inotify's instances of this user.
struct LimitCheck: BenchCheck {
  /// The hard limit, to which fob raises itself; nil: none, or unknown.
  let descriptors: Int?
  let maxInotifyInstances: Int?
  let inotifyUsed: Int

  /// A keychain takes six to eight.
  static let descriptorsOfKeychain = 8
  static let fewDescriptors = 1_024
  static let fewInstances = 8

  init(_ bench: BenchRoot) {
    descriptors = (bench.text("/proc/self/limits") ?? "").split(whereSeparator: \.isNewline)
      .first { $0.hasPrefix("Max open files") }
      .flatMap { $0.split(whereSeparator: \.isWhitespace).dropFirst(4).first }
      .flatMap { Int($0) }
    maxInotifyInstances = bench.number("/proc/sys/fs/inotify/max_user_instances")
    // Those of other users cannot be seen, and do not count.
    inotifyUsed = bench.processes.reduce(0) { sum, process in
      let folder = "/proc/\(process)/fd"
      return sum
        + bench.entries(folder).count {
          bench.target("\(folder)/\($0)")?.hasPrefix("anon_inode:inotify") == true
        }
    }
  }

  var findings: [Finding] { [descriptorFinding, inotifyFinding] }

  private var descriptorFinding: Finding {
    guard let descriptors else { return .ok("descriptors", "no limit") }
    let keychains = descriptors / Self.descriptorsOfKeychain
    return descriptors < Self.fewDescriptors
      ? .warning(
        "descriptors", "at most \(descriptors) files open: about \(keychains) keychains",
        "raise it with ulimit -Hn, or LimitNOFILE= of the service")
      : .ok("descriptors", "up to \(descriptors): about \(keychains) keychains")
  }

  private var inotifyFinding: Finding {
    guard let maxInotifyInstances else { return .ok("inotify", "no limit") }
    let words = "\(inotifyUsed) of \(maxInotifyInstances) instances in use"
    guard maxInotifyInstances - inotifyUsed < Self.fewInstances else {
      return .ok("inotify", words)
    }
    let text = "\(words): a bridge cannot watch for its devices' names"
    let hint = "sudo sysctl fs.inotify.max_user_instances=512"
    return inotifyUsed >= maxInotifyInstances
      ? .error("inotify", text, hint) : .warning("inotify", text, hint)
  }
}

/// What moments are told by, and what is decided by.
struct ClockCheck: BenchCheck {
  /// Something keeps the wall clock right; nil where that cannot be asked.
  let isKept: Bool?
  let suspendedSeconds: Int
  let source: String?

  init(_ bench: BenchRoot) {
    let kept = clinux_clock_is_kept()
    isKept = kept < 0 ? nil : kept == 1
    suspendedSeconds = Self.seconds(CLOCK_BOOTTIME) - Self.seconds(CLOCK_MONOTONIC)
    source = bench.text("/sys/devices/system/clocksource/clocksource0/current_clocksource")
  }

  init(isKept: Bool?, suspendedSeconds: Int, source: String?) {
    self.isKept = isKept
    self.suspendedSeconds = suspendedSeconds
    self.source = source
  }

  var findings: [Finding] { [wall, boot, read] }

  private var wall: Finding {
    switch isKept {
    case true: .ok("clock", "the wall clock is synchronised")
    case false:
      .warning(
        "clock", "nothing keeps the wall clock right: alarms may tell a wrong time",
        "sudo timedatectl set-ntp true, or install systemd-timesyncd or chrony")
    case nil: .warning("clock", "the kernel does not say whether it is right", "ask timedatectl")
    }
  }

  private var boot: Finding {
    // The two are read one after the other.
    guard suspendedSeconds > 1 else { return .ok("sleep", "never suspended since it started") }
    return .warning(
      "sleep", "suspended for \(suspendedSeconds) s since it started: no press is heard meanwhile",
      "sudo systemctl mask sleep.target suspend.target, on a machine that is to listen")
  }

  private var read: Finding {
    let slow: Set = ["hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit"]
    guard let source else { return .ok("clocksource", "unknown") }
    return slow.contains(source)
      ? .warning(
        "clocksource", "\(source): each look at the clock costs a microsecond or more",
        "on real hardware look in dmesg for why tsc was given up; times measured here are coarse")
      : .ok("clocksource", source)
  }

  private static func seconds(_ clock: clockid_t) -> Int {
    var time = timespec()
    clock_gettime(clock, &time)
    return time.tv_sec
  }
}
