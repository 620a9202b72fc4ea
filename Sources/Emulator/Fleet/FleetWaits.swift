import Glibc
import SerialIO

/// What a fleet's thread sleeps on: the lines, the waker and the earliest deadline.
final class FleetWaits: Sendable {
  let ready: ReadySet
  let alarm: TimerFD
  /// Of the waker and the alarm; those of members are not negative.
  static let wakerTag = -1
  private static let alarmTag = -2

  init(_ waker: FleetWaker) throws(IOFailure) {
    let ready = try ReadySet()
    let alarm = try TimerFD()
    try ready.watch(waker.descriptor, for: Int16(POLLIN), as: Self.wakerTag)
    try ready.watch(alarm.descriptor, for: Int16(POLLIN), as: Self.alarmTag)
    self.ready = ready
    self.alarm = alarm
  }
}
