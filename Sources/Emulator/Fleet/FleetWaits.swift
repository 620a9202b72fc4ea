import Glibc
import SerialIO

/// What a fleet's thread sleeps on: the lines, the bell and the earliest deadline.
final class FleetWaits: Sendable {
  let ready: ReadySet
  let alarm: Alarm
  /// Of the bell and the alarm; those of members are not negative.
  static let bellTag = -1
  private static let alarmTag = -2

  init(_ bell: FleetBell) throws(IOFailure) {
    let ready = try ReadySet()
    let alarm = try Alarm()
    try ready.watch(bell.descriptor, for: Int16(POLLIN), as: Self.bellTag)
    try ready.watch(alarm.descriptor, for: Int16(POLLIN), as: Self.alarmTag)
    self.ready = ready
    self.alarm = alarm
  }
}
