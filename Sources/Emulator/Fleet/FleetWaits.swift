import Glibc
import SerialIO

/// What a fleet's thread sleeps on: the lines, the bell and the earliest deadline.
final class FleetWaits: Sendable {
  let ready: ReadySet
  let alarm: Alarm
  /// The tag of bell and alarm, which are no member's.
  static let ownTag = -1

  init(_ bell: FleetBell) throws(IOFailure) {
    let ready = try ReadySet()
    let alarm = try Alarm()
    try ready.watch(bell.descriptor, for: Int16(POLLIN), as: Self.ownTag)
    try ready.watch(alarm.descriptor, for: Int16(POLLIN), as: Self.ownTag)
    self.ready = ready
    self.alarm = alarm
  }
}
