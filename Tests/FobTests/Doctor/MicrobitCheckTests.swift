import Foundation
import Glibc
import TestSupport
import Testing

@testable import fob

/// What `fob doctor` says of a micro:bit that is plugged in.
@Suite struct MicrobitCheckTests {
  private static let device = "/sys/bus/usb/devices/1-2"
  private let tree: BenchTree

  init() throws {
    tree = try BenchTree()
    for (name, text) in [
      ("idVendor", "0d28"), ("idProduct", "0204"), ("serial", "9904360258824e45"),
      ("1-2:1.1/tty/ttyACM0/dev", "166:0"),
    ] {
      try tree.file("\(Self.device)/\(name)", text + "\n")
    }
    try tree.file("/sys/class/tty/ttyACM0/dev", "166:0\n")
    try tree.file("/dev/ttyACM0", "")
    try tree.file("/media/MICROBIT/DETAILS.TXT", "Unique ID: 9904360258824e45\n")
    try tree.file("/proc/self/mounts", "/dev/sdb /media/MICROBIT vfat rw 0 0\n")
  }

  @Test func `version, port and drive are told`() {
    #expect(
      findings() == [
        .ok("microbit", "version 2 (board 9904): /dev/ttyACM0, drive /media/MICROBIT")
      ])
  }

  @Test(arguments: [("idProduct", "0205"), ("idVendor", "0403"), ("serial", "0240000029164e45")])
  func `another board is not spoken of`(file: String, text: String) throws {
    try tree.file("\(Self.device)/\(file)", text)
    #expect(findings().isEmpty)
  }

  @Test func `without cdc_acm there is no port, and the fix is named`() throws {
    try tree.remove(Self.device + "/1-2:1.1")
    expect(.error, "the kernel gives it no serial port; sudo modprobe cdc_acm")
  }

  @Test func `who may not open the port is told the group`() throws {
    try tree.remove("/dev/ttyACM0")
    expect(.error, "/dev/ttyACM0 does not open for you; sudo usermod -aG dialout")
  }

  @Test func `ModemManager is said, unless udev notes that a rule keeps it away`() throws {
    try tree.file("/proc/700/comm", "ModemManager\n")
    expect(.warning, "no udev rule keeps ModemManager away from /dev/ttyACM0; make install-udev")
    try tree.file("/run/udev/data/c166:0", "I:1\nE:ID_MM_DEVICE_IGNORE=1\n")
    #expect(findings().map(\.level) == [.ok])
  }

  @Test(arguments: ["", "/dev/sdb /media/OTHER vfat rw 0 0\n"])
  func `a drive that is not mounted is said`(mounts: String) throws {
    try tree.file("/media/OTHER/DETAILS.TXT", "Unique ID: 9904000000000000\n")
    try tree.file("/proc/self/mounts", mounts)
    expect(.warning, "its drive is not mounted")
  }

  private func findings() -> [Finding] { MicrobitCheck(BenchRoot(root: tree.path)).findings }

  private func expect(
    _ level: Finding.Level, _ words: String, at location: SourceLocation = #_sourceLocation
  ) {
    let found = findings()
    #expect(
      found.contains { $0.level == level && $0.line.contains(words) }, "\(found.map(\.line))",
      sourceLocation: location)
  }
}
