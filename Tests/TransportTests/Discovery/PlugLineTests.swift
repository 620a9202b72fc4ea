import FobBase
import Glibc
import SerialIO
import TestSupport
import Testing
import Transport

/// Lines to USB devices that are not there, on whatever machine the tests run: no maker has the
/// vendor id 0000.
@Suite struct PlugLineTests {
  @Test(arguments: ["tty", "usb"])
  func `a device that is not plugged in is said once, and the search can be stopped`(
    kind: String
  ) throws {
    let journal = Journal()
    let line = try DeviceLine(DeviceSpec("\(kind):0000:0000:A"), handlers: journal.handlers)
    try line.start()
    try journal.await(
      .unavailable(
        "cannot open \(kind):0000:0000:A: no USB device with these ids and the serial number A is"
          + " plugged in"))
    let began = BootClock.now()
    line.stop()
    #expect(BootClock.now() - began < .seconds(5))
    #expect(journal.all.isEmpty)
  }

  @Test func `a stopped search is let go of, with its descriptors`() throws {
    weak var gone: DeviceLine?
    do {
      let journal = Journal()
      let line = try DeviceLine(DeviceSpec("tty:0000:0000"), handlers: journal.handlers)
      gone = line
      try line.start()
      line.stop()
    }
    #expect(gone == nil)
  }

  @Test func `what is plugged in is looked for at the first call, and again in time`() throws {
    for kind in [AttachedDevice.Kind.port, .device] {
      let watch = try HotplugMonitor(kind)
      #expect(watch.nextLook <= BootClock.now())
      let appeared = watch.takeChanges()
      #expect(appeared.count == watch.board.devices.count)
      #expect(watch.nextLook > BootClock.now())
      #expect(Set(try HotplugMonitor.devices(kind)) == Set(watch.board.devices))
    }
  }
}
