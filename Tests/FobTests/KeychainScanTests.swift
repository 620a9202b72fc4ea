import FobBase
import Foundation
import SerialIO
import TestSupport
import Testing
import Transport

@testable import fob

/// Keychains on USB in `fob devices`: udev's word and that of /proc, put together.
@Suite struct KeychainScanTests {
  private static let folder = "/sys/devices/usb1/1-2"
  private static let address = USBAddress.keychain.with(serial: "8000000000000002")

  private func device(rule isApplied: Bool = true, product: String = "fob keychain")
    -> AttachedDevice
  {
    AttachedDevice(
      .device, systemPath: Self.folder, node: "/dev/bus/usb/255/002", address: Self.address,
      product: product, isKeychain: isApplied, isKeptFromModemManager: isApplied)
  }

  private func port(rule isApplied: Bool = true, product: String = "fob keychain")
    -> AttachedDevice
  {
    AttachedDevice(
      .port, systemPath: "\(Self.folder)/1-2:1.0/tty/ttyACM3", node: "/dev/ttyACM3",
      links: isApplied ? ["/dev/fob/8000000000000002"] : [], address: Self.address,
      interface: "\(Self.folder)/1-2:1.0", product: product, isKeychain: isApplied,
      isKeptFromModemManager: isApplied)
  }

  private func scan(
    _ plugged: [AttachedDevice], problem: String? = nil, root: String = "/nowhere"
  ) -> [FoundKeychain] {
    var serialPort = SerialPort(path: "/dev/ttyACM3", spec: "serial:/dev/ttyACM3", names: [])
    serialPort.problem = problem
    return KeychainScan(
      ports: [serialPort], rule: RuleCheck(BenchRoot(root: root)), plugged: plugged,
      ask: { _, node in throw IOFailure("open", errno: EACCES, path: node) }
    ).keychains()
  }

  @Test func `device and port of one keychain are one entry`() {
    let found = scan([device(), port()])
    #expect(found.count == 1)
    #expect(found.first?.spec == "tty:1209:0001:8000000000000002")
    #expect(found.first?.port == "/dev/ttyACM3")
    #expect(found.first?.usbNode == "/dev/bus/usb/255/002")
    #expect(found.first?.links == ["/dev/fob/8000000000000002"])
    #expect(found.first?.warning == nil)
    #expect(found.first?.silence?.contains("Permission denied") == true)
  }

  @Test func `what keeps its port from being opened is said of the keychain`() {
    #expect(scan([device(), port()], problem: "busy: x").first?.problem == "busy: x")
  }

  @Test func `a device without a port is listed, with what makes one`() {
    let found = scan([device()])
    #expect(found.first?.spec == "usb:1209:0001:8000000000000002")
    #expect(found.first?.problem?.contains("cdc_acm") == true)
  }

  @Test func `a port whose device is not shown is listed`() {
    #expect(scan([port()]).map(\.port) == ["/dev/ttyACM3"])
  }

  @Test func `another maker's device with the ids that all may use is none`() {
    let product = "somebody's thermometer"
    #expect(
      scan([device(rule: false, product: product), port(rule: false, product: product)]).isEmpty)
  }

  @Test func `a rule that is missing or was not applied is said`() throws {
    let plugged = [device(rule: false), port(rule: false)]
    #expect(scan(plugged).first?.warning?.contains("make install-udev") == true)
    let root = try ScratchDirectory()
    let folder = root.path("etc/udev/rules.d")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("#\n".utf8).write(to: URL(filePath: "\(folder)/70-fob.rules"))
    let warning = scan(plugged, root: root.path).first?.warning
    #expect(
      warning
        == "the udev rule /etc/udev/rules.d/70-fob.rules was not applied to it: plug it in again")
  }
}
