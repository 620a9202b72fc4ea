import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// What happens when a keychain is plugged in, by the shipped rule and the stock kernel, to a user
/// of the group plugdev and to another.
@Suite(.serialized, .enabled(if: USBGuest.isHere)) struct USBGuestPlugTests {
  @Test
  func `a plugged-in keychain is armed by a user of plugdev, and another is told what he lacks`()
    throws
  {
    let rig = try USBRig([.tty], as: "member")
    let serial = rig.serials[0]
    let plugged = BootClock.now()
    try rig.plug()
    try rig.awaitNode(serial)
    USBGuest.say("plug to name", since: plugged)
    try Self.expectRights(of: USBRig.link(serial))
    try rig.awaitLinked(serial)
    USBGuest.say("plug to linked and armed by tty", since: plugged)
    try expectAlarm(of: serial, rig, .tty)
    let answer = try rig.identify(serial)
    #expect(answer.contains(serial) && answer.contains(", linked"), "\(answer)")
    #expect(answer.contains("the kernel's driver has it: cdc_acm"), "\(answer)")
    #expect(try rig.ask(["do": "state"], of: serial)["linked"] as? Bool == true)
    try rig.pressToAck(serial)
    rig.stopBridge()
    try expectRefusal(of: serial, rig)
    rig.stop()
  }

  @Test
  func `by libusb a user of plugdev is told of a press, and the kernel gets its port back`() throws
  {
    let rig = try USBRig([.usb], as: "member")
    let serial = rig.serials[0]
    let plugged = BootClock.now()
    try rig.plug()
    try rig.awaitLinked(serial)
    USBGuest.say("plug to linked and armed by libusb", since: plugged)
    try expectAlarm(of: serial, rig, .usb)
    try rig.awaitNoNode(serial)
    let answer = try rig.identify(serial)
    #expect(answer.contains("a program has it by libusb"), "\(answer)")
    try rig.pressToAck(serial)
    rig.stopBridge()
    try rig.awaitNode(serial)
    try Self.expectRights(of: USBRig.link(serial))
    rig.stop()
  }

  /// One press is one alarm, and lights the keychain.
  private func expectAlarm(of serial: String, _ rig: USBRig, _ way: USBRig.Way) throws {
    let listener = try Talk(rig.scratch.path("keychain.sock"))
    try listener.must(["do": "subscribe"])
    let pressed = BootClock.now()
    let event = try rig.pressToAck(serial)
    USBGuest.say("press to ack by \(way)", since: pressed)
    while let heard = listener.answer() {
      guard heard["shown"] as? String == "accepted" || heard["shown"] as? String == "sending" else {
        continue
      }
      USBGuest.say("press to light by \(way)", since: pressed)
      break
    }
    let entry = try #require(try rig.presses().first)
    #expect(entry.event == event && entry.incident != nil)
    #expect(try rig.incidents().count == 1)
    try rig.clear()
  }

  /// A user outside the group is told of it, of the rule, and of the way out; by either way.
  private func expectRefusal(of serial: String, _ rig: USBRig) throws {
    let words = ["plugdev", "udev rule", "sudo usermod -aG plugdev outsider"]
    try rig.startBridge(as: "outsider")
    for word in words { try rig.bridge.awaitOutput(word) }
    let identify = try RunningFob(
      ["identify", USBRig.Way.usb.spec(serial)], in: rig.scratch, awaitsReady: false, as: "outsider"
    )
    #expect(identify.awaitEnd() != 0)
    for word in words { #expect(identify.output.contains(word), "\(identify.output)") }
  }

  private static func expectRights(of link: String) throws {
    var status = stat()
    try #require(stat(link, &status) == 0)
    #expect(status.st_mode & 0o7777 == 0o660 && status.st_uid == 0)
    #expect(getgrgid(status.st_gid).map { String(cString: $0.pointee.gr_name) } == "plugdev")
  }
}
