import FobBase
import Glibc
import SerialIO

/// For what moves a contact by hand: exact to about 0.1 ms.
enum Pause {
  static func wait(_ interval: Interval) { wait(until: BootClock.now() + interval) }

  static func wait(until end: Instant) {
    while true {
      let left = (end - BootClock.now()).microseconds
      if left <= 0 { return }
      usleep(UInt32(clamping: left))
    }
  }
}
