import CLinux
import Glibc

/// What a serial port's driver was asked in order to hand bytes on at once, and what it answered.
public struct PortLatency: Equatable, Sendable, CustomStringConvertible {
  /// Why ASYNC_LOW_LATENCY (TIOCSSERIAL) is not set; nil: it is set.
  public var refusal: String?
  /// The latency timer of FTDI converters in ms, before and now; nil where there is none.
  public var timer: (before: Int, now: Int)?
  /// Why the timer could not be set; nil: it was set, or needed no setting.
  public var timerRefusal: String?

  public static func == (a: PortLatency, b: PortLatency) -> Bool {
    a.description == b.description
  }

  /// Asks the driver of an open port for both. A refusal is reported in the result and is no error:
  /// the port works without.
  public static func lower(_ port: borrowing OwnedDescriptor) -> PortLatency {
    var latency = PortLatency()
    let timer = timerPath(of: port.path)
    let before = timer.flatMap(milliseconds)
    if clinux_set_low_latency(port.number) < 0 { latency.refusal = words(errno) }
    guard let timer, let before else { return latency }
    // ftdi_sio sets it to 1 by itself when low_latency is set.
    if (milliseconds(timer) ?? before) > 1 {
      do throws(IOFailure) {
        try KernelText.write("1", to: timer)
      } catch {
        latency.timerRefusal =
          "\(error); the udev rule does it (udev/README.md), or echo 1 | sudo tee \(timer)"
      }
    }
    latency.timer = (before, milliseconds(timer) ?? before)
    return latency
  }

  /// `low_latency set; latency timer 16 → 1 ms`
  public var description: String {
    var parts = [refusal.map { "low_latency not set: \($0)" } ?? "low_latency set"]
    if let timer {
      parts.append(
        timer.before == timer.now
          ? "latency timer \(timer.now) ms" : "latency timer \(timer.before) → \(timer.now) ms")
    }
    if let timerRefusal { parts.append(timerRefusal) }
    return parts.joined(separator: "; ")
  }

  private static func words(_ code: Int32) -> String {
    switch code {
    case ENOTTY, EINVAL: "its driver has no such mode, and does not need one"
    case EOPNOTSUPP: "its driver takes it and keeps nothing"
    default: IOFailure.text(of: code)
    }
  }

  /// Where the kernel shows the timer of the port that a path leads to.
  private static func timerPath(of path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    let name = String(cString: resolved).split(separator: "/").last ?? ""
    let file = "/sys/class/tty/\(name)/device/latency_timer"
    return access(file, F_OK) == 0 ? file : nil
  }

  private static func milliseconds(_ path: String) -> Int? {
    KernelText.read(path)?.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
  }
}
