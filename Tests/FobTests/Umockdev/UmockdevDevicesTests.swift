import Foundation
import TestSupport
import Testing

/// `fob devices` in a testbed of umockdev.
@Suite struct UmockdevDevicesTests {
  @Test func `keychains on USB are listed with port, link and serial number`() throws {
    let bench = try PluggedBench(keychains: 2)
    try bench.plug(2, as: "ttyACM0")
    try bench.plug(1, as: "ttyACM4")
    let json = try bench.fob(["devices", "--json"])
    let answer = try #require(
      JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let found = try #require(answer["keychains"] as? [[String: Any]])
    #expect(found.map { $0["serial"] as? String } == [1, 2].map(PluggedBench.serial))
    #expect(found.map { $0["port"] as? String } == ["/dev/ttyACM4", "/dev/ttyACM0"])
    #expect(found[0]["spec"] as? String == "tty:1209:0001:8000000000000001")
    #expect(found[0]["links"] as? [String] == ["/dev/fob/8000000000000001"])
    #expect(found[0]["usbNode"] as? String == "/dev/bus/usb/255/001")
    #expect(found[0]["warning"] == nil, "the rule was applied")
    // Its node is not to be opened here.
    #expect(found[0]["silence"] is String && found[0]["battery"] == nil)

    let text = try bench.fob(["devices"]).output
    #expect(text.contains("usb       tty:1209:0001:8000000000000002"), "\(text)")
    #expect(text.contains("now /dev/ttyACM0, /dev/fob/8000000000000002"), "\(text)")
    #expect(!text.contains("port      "), "a keychain's port is not listed twice:\n\(text)")
  }

  @Test func `what is unplugged is listed no more`() throws {
    let bench = try PluggedBench(keychains: 2)
    try bench.plug(1, as: "ttyACM0")
    try bench.plug(2, as: "ttyACM1")
    try bench.unplug(1, from: "ttyACM0")
    let text = try bench.fob(["devices"]).output
    #expect(!text.contains(PluggedBench.serial(1)) && text.contains(PluggedBench.serial(2)))
  }
}
