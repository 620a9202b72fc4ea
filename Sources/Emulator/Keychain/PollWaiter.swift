import FobBase
import Glibc
import SerialIO

/// Where the thread of a single keychain rests until it is called, its deadline has come, or a
/// descriptor is ready.
final class PollWaiter {
  private let waker: PolledWaker
  private let alarm: TimerFD
  private var armed: Instant?

  init(_ waker: PolledWaker) throws(IOFailure) {
    let alarm = try TimerFD()
    self.waker = waker
    self.alarm = alarm
  }

  /// False if polling itself fails, which only a broken process does.
  func rest(until due: Instant?, polling descriptors: [pollfd]) -> Bool {
    if due != armed {
      alarm.set(at: due)
      armed = due
    }
    var polled = descriptors
    for descriptor in [waker.descriptor, alarm.descriptor] {
      polled.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }
    guard (try? Syscall.poll(&polled, count: polled.count)) != nil else { return false }
    waker.clear()
    return true
  }
}
