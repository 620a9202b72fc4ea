// Beside Console, the compiler looks for the fields of stat(2) in Dispatch's headers.
import CDispatch
import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing
import USB

/// What happens when a keychain is plugged in, by the shipped rule and the stock kernel, to a user
/// of the group plugdev and to another.
@Suite(.serialized, .enabled(if: USBGuest.isHere)) struct USBGuestPlugTests {
  @Test
  func `plugged-in keychains are armed by tty and by libusb for a user of plugdev, for no other`()
    throws
  {
    let rig = try USBRig([.tty, .usb], as: "member")
    let (byTTY, byUSB) = (rig.serials[0], rig.serials[1])
    let plugged = BootClock.now()
    try rig.plug()
    try rig.awaitNode(byTTY)
    USBGuest.say("plug to name", since: plugged)
    try Self.expectRights(of: USBRig.link(byTTY))
    try rig.awaitLinked(byTTY)
    USBGuest.say("plug to linked and armed by tty", since: plugged)
    try rig.awaitLinked(byUSB)
    USBGuest.say("plug to linked and armed by libusb", since: plugged)
    try expectAlarm(of: byTTY, rig, .tty)
    try expectAlarm(of: byUSB, rig, .usb)
    #expect(try rig.incidents().count == 2)
    try rig.awaitNoNode(byUSB)
    try expectIdentified(byTTY, by: "the kernel's driver has it: cdc_acm", rig)
    try expectIdentified(byUSB, by: "a program has it by libusb", rig)
    rig.stopBridge()
    // The kernel has its port back.
    try rig.awaitNode(byUSB)
    try Self.expectRights(of: USBRig.link(byUSB))
    try expectRefusal(of: byTTY, rig)
    rig.stop()
  }

  /// 0d28:0204 is every board with DAPLink: no rule and no id says that a keychain runs on it.
  @Test func `a keychain behind a micro:bit's debugger gets no name, and is found by its HELLO`()
    throws
  {
    let rig = try USBRig([.tty], kind: .microbit)
    let plugged = BootClock.now()
    try rig.plug()
    try rig.bridge.awaitOutput("found tty:0d28:0204:9900")
    USBGuest.say("a micro:bit's plug to found by HELLO", since: plugged)
    #expect((try? FileManager.default.contentsOfDirectory(atPath: "/dev/fob"))?.isEmpty ?? true)
    try expectAlarm(of: rig.serials[0], rig, .tty)
    rig.stop()
  }

  /// It says what it is while somebody else has its line, which stays as it is.
  private func expectIdentified(_ serial: String, by driver: String, _ rig: USBRig) throws {
    let answer = try rig.identify(serial)
    #expect(answer.contains(serial) && answer.contains(", linked"), "\(answer)")
    #expect(answer.contains(driver), "\(answer)")
    #expect(try rig.ask(["do": "state"], of: serial)["linked"] as? Bool == true)
    try rig.pressToAck(serial)
    try rig.clear()
  }

  /// One press is one alarm, and lights the keychain.
  private func expectAlarm(of serial: String, _ rig: USBRig, _ way: USBRig.Way) throws {
    let listener = try Talk(rig.scratch.path("keychain.sock"))
    try listener.must(rig.addressed(["do": "subscribe"], serial))
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
    let entry = try #require(try rig.presses().first { $0.event == event })
    #expect(entry.incident != nil)
    #expect(try rig.presses(of: serial) == [event])
    try rig.clear()
  }

  /// A user outside the group is told of it, of the rule, and of the fix; by either way.
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
