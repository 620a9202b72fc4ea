import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing

/// `fob bridge` on USB keychains that umockdev plugs in and out; the bytes go through real ptys.
@Suite struct UmockdevBridgeTests {
  private static let address = "1209:0001"

  private func spec(_ number: Int) -> String {
    "tty:\(Self.address):\(PluggedBench.serial(number))"
  }

  @Test func `a keychain that is plugged in at the start is opened and armed`() throws {
    let bench = try PluggedBench()
    try bench.plug(1, as: "ttyACM0")
    try bench.startBridge(["--device", spec(1)])
    try bench.awaitLinked(1)
    let event = try bench.press(1)
    try bench.awaitAck(event, of: 1)
    #expect(try bench.presses().map(\.event) == [event])
  }

  /// The press made while it was unplugged arrives once.
  @Test func `an unplugged keychain is followed to another port, and loses no press`() throws {
    let bench = try PluggedBench()
    try bench.startBridge(["--device", spec(1)])
    try bench.awaitSaid("no USB device with these ids and the serial number")
    try bench.plug(1, as: "ttyACM0")
    try bench.awaitLinked(1)
    var events = [try bench.press(1)]
    try bench.awaitAck(events[0], of: 1)
    let open = bench.openInBridge
    var quickest = Interval.seconds(60)
    for round in 1...3 {
      try bench.unplug(1, from: "ttyACM\(round - 1)")
      try bench.awaitSaid("no USB device with these ids and the serial number", times: round + 1)
      #expect(try bench.linked() == [])
      events.append(try bench.press(1))
      // The old node is still held by somebody: the kernel takes the next number.
      let began = BootClock.now()
      try bench.replug(1, as: "ttyACM\(round)")
      try bench.awaitLinked(1)
      quickest = min(quickest, BootClock.now() - began)
      try bench.awaitAck(events[round], of: 1)
    }
    #expect(try bench.presses().map(\.event) == events)
    // One that stays each round would be three; another reader of the store has two.
    #expect(
      zip(bench.openInBridge, open).allSatisfy { $0 < $1 + 3 }, "descriptors and threads: \(open)")
    #expect(quickest < .milliseconds(600), "udev's event wakes it, not the next second")
    #expect(bench.said("another host may have it") == 0)
  }

  @Test func `of three keychains at once the right one is opened`() throws {
    let bench = try PluggedBench(keychains: 3)
    for number in [3, 1, 2] { try bench.plug(number, as: "ttyACM\(3 - number)") }
    try bench.startBridge(["--device", spec(2)])
    try bench.awaitLinked(2)
    #expect(try bench.linked() == [PluggedBench.serial(2)])
    // Another takes its node.
    try bench.unplug(2, from: "ttyACM1")
    try bench.unplug(3, from: "ttyACM0")
    try bench.replug(3, as: "ttyACM1")
    try bench.replug(2, as: "ttyACM0")
    try bench.awaitLinked(2)
    #expect(try bench.linked() == [PluggedBench.serial(2)])
  }

  @Test func `without a serial number several keychains are refused by name, one is opened`() throws
  {
    let bench = try PluggedBench(keychains: 2)
    try bench.plug(1, as: "ttyACM0")
    try bench.plug(2, as: "ttyACM1")
    try bench.startBridge(["--device", "tty:\(Self.address)"])
    try bench.awaitSaid("several are plugged in; name one: \(spec(1)), \(spec(2))")
    try bench.unplug(1, from: "ttyACM0")
    try bench.awaitLinked(2)
    // A line that is open stays with its device.
    try bench.replug(1, as: "ttyACM2")
    try bench.awaitAck(try bench.press(2), of: 2)
    #expect(try bench.linked() == [PluggedBench.serial(2)])
  }

  @Test func `without a device every keychain is served, those that come later, too`() throws {
    let bench = try PluggedBench(keychains: 3)
    try bench.plug(1, as: "ttyACM0")
    try bench.plug(2, as: "ttyACM1")
    try bench.startBridge([])
    try bench.awaitLinked(1)
    try bench.awaitLinked(2)
    try bench.plug(3, as: "ttyACM2")
    try bench.awaitLinked(3)
    #expect(try bench.linked() == Set((1...3).map(PluggedBench.serial)))
    try bench.unplug(2, from: "ttyACM1")
    try bench.awaitSaid("no USB device with these ids and the serial number")
    let event = try bench.press(2)
    try bench.replug(2, as: "ttyACM7")
    try bench.awaitAck(event, of: 2)
    #expect(bench.said("found \(spec(2))") == 1, "it stays on its link")
    bench.bridge.interrupt()
    #expect(bench.bridge.awaitEnd() == 0)
  }

  @Test func `of two devices with one serial number the second is said and not used`() throws {
    let bench = try PluggedBench(keychains: 2)
    try bench.plug(1, as: "ttyACM0")
    try bench.startBridge([])
    try bench.awaitLinked(1)
    try bench.plug(2, as: "ttyACM1", serial: PluggedBench.serial(1))
    try bench.awaitSaid(
      "/dev/ttyACM1 is not used: it has the serial number \(PluggedBench.serial(1)),"
        + " as /dev/ttyACM0 has")
    try bench.awaitAck(try bench.press(1), of: 1)
    #expect(try bench.linked() == [PluggedBench.serial(1)])
  }
}
