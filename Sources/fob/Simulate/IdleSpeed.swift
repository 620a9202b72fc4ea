import ArgumentParser
import FobBase
import SerialIO
import Simulation

/// How fast one processor plays a world in which nothing happens.
enum IdleSpeed {
  enum World: String, ExpressibleByArgument, CaseIterable {
    /// One keychain that is linked to one host.
    case quiet
    /// The same, and it hears its satellites once a second.
    case gps
  }

  private static let span = Interval.seconds(3)

  /// Plays for 3 s.
  static func measured(_ world: World) -> String {
    var setting = Setting()
    setting.hasGPS = world == .gps
    setting.calmFrom = Instant(microseconds: 938_000_000)
    setting.end = Instant(microseconds: 1_000_000_000)
    let began = BootClock.now()
    let used = processorTime()
    var deviceSeconds = 0.0
    var violations = 0
    while BootClock.now() - began < span {
      let outcome = Schedule(quiet: setting).play()
      deviceSeconds += outcome.deviceSeconds
      violations += outcome.violations.count
    }
    let spent = processorTime() - used
    let rate = Int(deviceSeconds / (Double(spent.microseconds) / 1e6))
    return
      "\(world.rawValue): 1 keychain, 1 host, \(NumberText.grouped(Int(deviceSeconds))) device-s"
      + " in \(PlaySpeed.seconds(spent)) of one processor, \(NumberText.grouped(rate)) device-s/s,"
      + " \(NumberText.count(violations, "violation"))"
  }

  private static func processorTime() -> Instant {
    Instant(microseconds: Int64(ThreadClock.nanoseconds() / 1_000))
  }
}
