import Foundation
import TestSupport
import Testing

/// `udev/70-fob.rules`, read as udev reads it and run on devices of ours and of others.
@Suite struct UdevRulesTests {
  static let path = Repository.root.path + "/udev/70-fob.rules"
  private static let words = ["manufacturer": "fob", "product": "fob keychain"]
  private static let serial = "8000000000000001"

  private let rules: [RuleLine]

  init() throws {
    rules = try RuleLine.read(String(contentsOfFile: Self.path, encoding: .utf8))
  }

  @Test(arguments: ["add", "change", "bind"])
  func `the port of a keychain has its name, group, tags and properties`(action: String) {
    let outcome = UdevOutcome(rules, action, keychain().tty)
    #expect(outcome.symlinks == ["fob/\(Self.serial)"])
    expectGiven(outcome)
  }

  @Test(arguments: ["add", "change", "bind"])
  func `the USB device itself has the same but for the name`(action: String) {
    let outcome = UdevOutcome(rules, action, keychain())
    #expect(outcome.symlinks.isEmpty)
    expectGiven(outcome)
  }

  @Test func `its interfaces are left alone`() {
    #expect(UdevOutcome(rules, "add", keychain().interface) == .nothing)
  }

  @Test func `on remove nothing is set`() {
    for device in [keychain(), keychain().tty, keychain().converter] {
      #expect(UdevOutcome(rules, "remove", device) == .nothing)
    }
  }

  @Test func `a serial converter of a keychain passes bytes on after 1 ms, without node or tags`() {
    let outcome = UdevOutcome(rules, "bind", keychain().converter)
    #expect(outcome.attributes == ["latency_timer": "1"])
    #expect(outcome.group == nil && outcome.tags.isEmpty && outcome.symlinks.isEmpty)
    var port = keychain().tty
    port.attributes["latency_timer"] = "16"
    #expect(UdevOutcome(rules, "add", port).attributes.isEmpty, "written by its converter alone")
    var young = keychain().converter
    young.attributes = [:]
    #expect(UdevOutcome(rules, "add", young).attributes.isEmpty)
  }

  @Test(
    arguments: [
      // pid.codes lends 1209:0001 to everybody who tests.
      ("1209", "0001", ["manufacturer": "Example", "product": "Test device"]),
      ("1209", "0001", ["manufacturer": "Example", "product": "fob keychain"]),
      ("1209", "0001", ["manufacturer": "fob", "product": "fob keychain 2"]),
      ("1209", "0001", ["manufacturer": "fob"]), ("1209", "0001", [:]),
      ("0403", "0001", words), ("1200", "0001", words), ("1209", "0002", words),
      ("1209", "1000", words),
      ("0403", "6001", words),
    ] as [(String, String, [String: String])])
  func `a device of another maker is left alone`(
    vendor: String, product: String, words: [String: String]
  ) {
    let foreign = UdevDevice.usb(vendor, product, words, serial: Self.serial)
    for device in [foreign, foreign.tty, foreign.interface, foreign.converter] {
      #expect(UdevOutcome(rules, "add", device) == .nothing)
    }
  }

  /// What runs on it only its line can tell.
  @Test(arguments: ["9900", "9901", "9903", "9904", "9905", "9906"])
  func `ModemManager is kept away from a micro:bit, and nothing else is set`(board: String) {
    let microbit = UdevDevice.usb(
      "0d28", "0204", ["product": "BBC micro:bit CMSIS-DAP"], serial: board + "000037024e45")
    for device in [microbit, microbit.tty] {
      let outcome = UdevOutcome(rules, "add", device)
      #expect(outcome.properties == ["ID_MM_DEVICE_IGNORE": "1"])
      #expect(outcome.group == nil && outcome.tags.isEmpty && outcome.symlinks.isEmpty)
    }
    let other = UdevDevice.usb(
      "0d28", "0204", ["product": "DAPLink CMSIS-DAP"], serial: "0240000029164e45")
    for device in [other, other.tty] { #expect(UdevOutcome(rules, "add", device) == .nothing) }
  }

  @Test func `a port without USB, and what is no port, are left alone`() {
    for (kernel, subsystem) in [("ttyS0", "tty"), ("null", "mem"), ("sda", "block")] {
      let device = UdevDevice(kernel: kernel, subsystem: subsystem)
      #expect(UdevOutcome(rules, "add", device) == .nothing)
    }
    var disk = UdevDevice(kernel: "sda", subsystem: "block")
    disk.parents = [keychain()]
    #expect(UdevOutcome(rules, "add", disk) == .nothing)
    var port = UdevDevice(kernel: "ttyS0", subsystem: "tty")
    port.parents = [
      UdevDevice(kernel: "0", subsystem: "pci", attributes: keychain().attributes)
    ]
    #expect(UdevOutcome(rules, "add", port) == .nothing)
  }

  /// Any device may claim our words, and udev makes folders of a slash.
  @Test(arguments: ["../sda", "a/b", "..", ".", "", "a b", "-rf", "8000.0001", "ä", nil])
  func `a serial number that is no plain word gives no name, but the rest`(serial: String?) {
    let outcome = UdevOutcome(rules, "add", keychain(serial: serial).tty)
    #expect(outcome.symlinks.isEmpty)
    expectGiven(outcome)
  }

  /// As udev/README.md says.
  @Test func `a file of the owner's before ours adds another device with one line`() throws {
    let readme = try String(
      contentsOfFile: Repository.root.path + "/udev/README.md", encoding: .utf8)
    let line = try #require(
      readme.split(separator: "\n").first { $0.contains("FOB_KEYCHAIN") && $0.contains("0403") })
    let own = try RuleLine.read(String(line))
    let device = UdevDevice.usb(
      "0403", "6001", ["manufacturer": "FTDI", "product": "FT232R USB UART"], serial: "A50285BI")
    #expect(UdevOutcome(rules, "add", device.tty) == .nothing)
    let outcome = UdevOutcome(own + rules, "add", device.tty)
    #expect(outcome.symlinks == ["fob/A50285BI"])
    expectGiven(outcome)
  }

  /// 60-serial.rules imports ID_SERIAL_SHORT, 73-seat-late.rules acts on uaccess, and
  /// ModemManager's own rules begin at 77.
  @Test func `the number in the name is between Debian's rules that it needs`() throws {
    let name = (Self.path as NSString).lastPathComponent
    #expect(name > "60-serial.rules" && name < "71-seat.rules")
  }

  @Test(arguments: [
    "ACTION=\"add\"", "ATTR==\"x\"", "ENV{A}=b", "GROUP=\"plugdev", "NAMED=\"x\"",
    "GOTO=\"nowhere\"", "MODE==\"0660\"", "MODE=\"0660\"GROUP=\"a\"", "ACTION==\"add\", \\",
    "ATTRS{serial==\"x\"",
  ])
  func `a line that udev refuses is refused here`(line: String) {
    #expect(throws: RuleLine.Fault.self) { try RuleLine.read(line) }
  }

  @Test func `comments, continuation and quotes are read as udev reads them`() throws {
    let read = try RuleLine.read(
      "# a comment\n\n  KERNEL==\"a|b\", \\\n  ENV{A}=\"say \\\"x\\\"\"\nSYMLINK+=\"c\"\n")
    #expect(read.map(\.line) == [3, 5])
    #expect(read[0].tokens.map(\.key) == ["KERNEL", "ENV"])
    #expect(read[0].tokens[1].value == "say \"x\"" && read[0].tokens[1].attribute == "A")
  }

  private func keychain(serial: String? = Self.serial) -> UdevDevice {
    .usb("1209", "0001", Self.words, serial: serial)
  }

  private func expectGiven(_ outcome: UdevOutcome) {
    #expect(outcome.group == "plugdev" && outcome.mode == "0660")
    #expect(outcome.tags == ["fob", "uaccess"])
    #expect(outcome.properties == ["FOB_KEYCHAIN": "1", "ID_MM_DEVICE_IGNORE": "1"])
  }
}
