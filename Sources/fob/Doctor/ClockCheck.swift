// Beside the module Console, the compiler looks for timespec in Dispatch's headers.
import CDispatch
import CLinux
import Glibc

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
