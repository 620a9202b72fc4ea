import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// The guest with a stock kernel that `scripts/usb-guest.sh` boots: what its tests share. On any
/// other machine these tests are left out, since they plug devices into the running kernel.
enum USBGuest {
  /// Set by the guest's init.
  static let isHere = variable("FOB_USB_GUEST") != nil

  /// Unplug and replug: 5 times, 100 in a soak, or FOB_REPLUGS.
  static let replugs = variable("FOB_REPLUGS").flatMap(Int.init) ?? (Soak.isOn ? 100 : 5)

  /// Of pid.codes' test product, as every emulated keychain says.
  static let spec = "1209:0001"

  private static func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name]
  }

  /// A line of the console, beside those of the guest itself.
  static func say(_ words: String) {
    print("usb-guest:", words)
    fflush(nil)
  }

  static func say(_ what: String, since start: Instant) {
    say("\(what) \((BootClock.now() - start).milliseconds) ms")
  }

  /// Until there is a value. Asked each 5 ms: the guest has one emulated processor, and who asks
  /// more often keeps what he waits for from it.
  @discardableResult
  static func await<T>(
    _ what: @autoclosure () -> String, within patience: Interval = .seconds(20),
    at location: SourceLocation = #_sourceLocation, _ value: () throws -> T?
  ) throws -> T {
    let deadline = BootClock.now() + patience
    while true {
      if let value = try value() { return value }
      try #require(
        BootClock.now() < deadline, "\(what()), not within \(patience.milliseconds) ms",
        sourceLocation: location)
      usleep(5_000)
    }
  }

  static func await(
    _ what: @autoclosure () -> String, within patience: Interval = .seconds(20),
    at location: SourceLocation = #_sourceLocation, _ isTrue: () throws -> Bool
  ) throws {
    _ = try self.await(what(), within: patience, at: location) { try isTrue() ? () : nil }
  }

  /// Where in the kernel each thread of a process waits, for the report of one that hangs.
  static func stacks(of pid: pid_t) -> String {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
    return threads.map { thread in
      let words = ["comm", "stack"].map { name in
        (try? String(contentsOfFile: "/proc/\(pid)/task/\(thread)/\(name)", encoding: .utf8)) ?? ""
      }
      return words.joined()
    }.joined(separator: "\n")
  }
}

extension Interval {
  var milliseconds: Double { Double(microseconds) / 1_000 }
}
