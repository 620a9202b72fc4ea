import FobBase
import NMEA
import WireProtocol

/// A board's clock is not to go back. One that does, by a brown-out of its oscillator or a faulty
/// counter, must not stop what waits for a moment that was near and is now far: a press, most of
/// all.
extension Keychain {
  /// A clock that goes back by less stops everything for no longer than that.
  static let clockStep = Interval.milliseconds(1)

  /// What waits is due now, or as far off as it was. The heartbeat goes out before everything else:
  /// from its uptime the host sees that the clock is another, before it reads a stamp of it.
  mutating func clockWentBack(by lost: Interval, to now: Instant) {
    debouncer.clockWentBack(by: lost)
    display.clockWentBack(by: lost)
    gps.clockWentBack(by: lost)
    unacked.hostHello(at: now)
    nextSecond = now + .seconds(1)
    send(heartbeat(at: now), at: now)
    nextBatteryReport = now
    lastFixReport = nil
  }
}
