import FobBase
import Foundation
import Glibc
import SerialIO
import TestSupport
import Testing

/// Devices that do what no keychain does: the bridge answers and ends as ever. The times are held
/// in a soak; beside other programs on the host the guest is as slow as they let it be.
@Suite(.serialized, .enabled(if: USBGuest.isHere)) struct USBGuestHostileTests {
  /// Many at once, to take little time; each alone in a soak.
  private static let groups: [[Mischief]] =
    Soak.isOn
    ? Mischief.allCases.map { [$0] }
    : [
      [.garbageDescriptors, .wrongDescriptorLengths, .stalledRequests, .silentInput],
      [.emptyPackets, .noise, .shortAnswers], [.stalledData, .silentRequests, .overflow],
    ]

  private static let slack: Int64 = Soak.isOn ? 1 : 10

  @Test(arguments: groups)
  func `a bridge answers within a second and ends within three, whatever devices do`(
    _ group: [Mischief]
  ) throws {
    let scratch = try ScratchDirectory()
    let serials = group.indices.map { ("800000000000BA\($0)1", "800000000000BA\($0)2") }
    let specs = serials.flatMap {
      ["tty:\(USBGuest.spec):\($0.0)", "usb:\(USBGuest.spec):\($0.1)"]
    }
    let bridge = try RunningFob(
      ["bridge"] + specs.flatMap { ["--device", $0] } + [
        "--state", scratch.path("state"), "--control", scratch.path("bridge.sock"),
      ], in: scratch, pin: "4711")
    let talk = try Talk(scratch.path("bridge.sock"))
    var devices: [FakeDevice] = []
    defer { for device in devices { device.unplug() } }
    for (index, mischief) in group.enumerated() {
      for serial in [serials[index].0] + (mischief.hasNode ? [serials[index].1] : []) {
        devices.append(try FakeDevice(mischief, serial: serial, number: UInt32(devices.count + 91)))
      }
    }
    // By libusb it may be gone before it is seen.
    for device in devices where device.mischief.hasNode && device.serial.hasSuffix("1") {
      try USBGuest.await("the port of a device with \(device.mischief)", within: .seconds(10)) {
        access("/dev/fob/\(device.serial)", F_OK) == 0
      }
    }
    for device in devices {
      try USBGuest.await("a request to a device with \(device.mischief)") { device.count > 0 }
    }
    let slowest = try askForASecond(talk)
    #expect(slowest < .seconds(Self.slack))
    let stopped = BootClock.now()
    kill(bridge.pid, SIGTERM)
    let patience = Interval.seconds(group.contains(.silentOutput) ? 40 : 3 * Self.slack)
    let code = bridge.awaitEnd(within: patience)
    #expect(code == 0, "\(USBGuest.stacks(of: bridge.pid))\n\(bridge.output)")
    USBGuest.say(
      "\(group.map(\.rawValue).joined(separator: ", ")): requests \(devices.map(\.count)),"
        + " slowest answer \(slowest.milliseconds) ms, end after", since: stopped)
  }

  /// The longest that an answer took.
  private func askForASecond(_ talk: Talk) throws -> Interval {
    let end = BootClock.now() + .seconds(1)
    var slowest = Interval.zero
    while BootClock.now() < end {
      let asked = BootClock.now()
      try talk.must(["do": "status"])
      slowest = max(slowest, BootClock.now() - asked)
      usleep(100_000)
    }
    return slowest
  }
}

extension Mischief {
  /// Whether the kernel makes a serial port of the device all the same.
  fileprivate var hasNode: Bool {
    switch self {
    case .garbageDescriptors, .wrongDescriptorLengths: false
    default: true
    }
  }
}
