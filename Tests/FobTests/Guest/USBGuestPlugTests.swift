import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// What happens when a keychain is plugged in, by the shipped rule and the stock kernel.
@Suite(.serialized, .enabled(if: USBGuest.isHere)) struct USBGuestPlugTests {
  @Test(arguments: USBRig.Way.allCases)
  func `plugged in, it has its name and its rights, is linked and armed, and a press is an alarm`(
    _ way: USBRig.Way
  ) throws {
    let rig = try USBRig([way])
    let serial = rig.serials[0]
    let plugged = BootClock.now()
    try rig.plug()
    // By libusb the port goes as soon as the bridge has the device, so it is not waited for.
    if way == .tty {
      try rig.awaitNode(serial)
      USBGuest.say("\(way): plug to name", since: plugged)
      try Self.expectRights(of: USBRig.link(serial))
    }
    try rig.awaitLinked(serial)
    USBGuest.say("\(way): plug to linked and armed", since: plugged)
    let pressed = BootClock.now()
    let event = try rig.pressToAck(serial)
    USBGuest.say("\(way): press to commit", since: pressed)
    let entry = try #require(try rig.presses().first)
    #expect(entry.event == event && entry.incident != nil)
    #expect(try rig.incidents().count == 1)
    try rig.clear()
    rig.stop()
    if way == .usb {
      try rig.awaitNoNode(serial)
    }
  }

  static func expectRights(of link: String) throws {
    var status = stat()
    try #require(stat(link, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o660 && status.st_uid == 0)
    #expect(getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } == "plugdev")
  }
}
