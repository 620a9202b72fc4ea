import FobBase
import Glibc
import SerialIO
import Testing

@Suite struct ClockTests {
  @Test func `the boot clock never goes back and both units agree`() {
    var last: UInt64 = 0
    for _ in 0..<1_000 {
      let now = BootClock.nanoseconds()
      #expect(now >= last)
      last = now
    }
    #expect(BootClock.now().microseconds >= Int64(last / 1_000))
  }

  @Test func `the wall clock counts microseconds since 1970`() {
    let seconds = Int64(time(nil))
    #expect((0...2).contains(WallClock.now() / 1_000_000 - seconds))
  }

  @Test func `the boot id is the same for the whole boot`() throws {
    #expect(try BootID.current() == BootID.current())
  }

  @Test func `an alarm is readable from its deadline on, until cleared`() throws {
    let alarm = try TimerFD()
    let now = Instant(microseconds: 0)
    #expect(try Syscall.poll(alarm.descriptor, for: POLLIN, until: now) == 0)
    alarm.set(at: BootClock.now() + .milliseconds(1))
    #expect(try Syscall.poll(alarm.descriptor, for: POLLIN, until: Watchdog.deadline()) == POLLIN)
    alarm.clear()
    #expect(try Syscall.poll(alarm.descriptor, for: POLLIN, until: now) == 0)
  }

  @Test func `a watch of the wall clock is readable once that was set, until cleared`() throws {
    let watch = try WallClockWatch()
    let now = Instant(microseconds: 0)
    #expect(try Syscall.poll(watch.descriptor, for: POLLIN, until: now) == 0)
    for _ in 0..<2 {
      // To the time that it shows; who may not set it has seen all by now.
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      guard clock_settime(CLOCK_REALTIME, &time) == 0 else { return }
      #expect(try Syscall.poll(watch.descriptor, for: POLLIN, until: Watchdog.deadline()) == POLLIN)
      watch.clear()
      #expect(try Syscall.poll(watch.descriptor, for: POLLIN, until: now) == 0)
    }
  }

  @Test(arguments: [Int64.min, -1, 0, 1])
  func `an alarm in the past is due at once`(microseconds: Int64) throws {
    let alarm = try TimerFD()
    alarm.set(at: Instant(microseconds: microseconds))
    #expect(try Syscall.poll(alarm.descriptor, for: POLLIN, until: Watchdog.deadline()) == POLLIN)
  }

  @Test func `a disarmed alarm stays silent`() throws {
    let alarm = try TimerFD()
    alarm.set(at: Instant(microseconds: 1))
    alarm.set(at: nil)
    let now = Instant(microseconds: 0)
    #expect(try Syscall.poll(alarm.descriptor, for: POLLIN, until: now) == 0)
  }
}
