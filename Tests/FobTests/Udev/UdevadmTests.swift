import Foundation
import TestSupport
import Testing

/// The rule under the udevd of this system, beside Debian's own rules.
@Suite struct UdevadmTests {
  private let scratch: ScratchDirectory
  private let folder = (UdevRulesTests.path as NSString).deletingLastPathComponent

  init() throws {
    scratch = try ScratchDirectory()
    try #require(
      Udevadm.isThere, "needs apt-get install udev umockdev, and a user namespace (unshare -rm)")
  }

  @Test func `udev gives a keychain's port its name, group, tags and properties, real udevadm`()
    throws
  {
    let udev = try Udevadm(rules: folder, action: "add", of: Udevadm.port, in: scratch)
    let links = try #require(udev["DEVLINKS"], "\(udev.output)").split(separator: " ")
    #expect(links.contains("/dev/fob/8000000000000001"))
    #expect(links.contains("/dev/serial/by-id/usb-fob_fob_keychain_8000000000000001-if00"))
    expectGiven(udev)
    #expect(udev.said.contains { $0.hasSuffix(" MODE 0660") }, "\(udev.said)")
    #expect(udev.output.contains("run: 'uaccess'"), "uaccess comes too late: \(udev.output)")
  }

  @Test func `udev gives the USB device the same but for the name, real udevadm`() throws {
    let udev = try Udevadm(rules: folder, action: "add", of: Udevadm.device, in: scratch)
    expectGiven(udev)
    #expect(udev["DEVLINKS"]?.contains("/dev/fob/") != true)
    #expect(udev.output.contains("run: 'uaccess'"))
  }

  @Test
  func `udev leaves a device of another maker alone, and sets nothing on remove, real udevadm`()
    throws
  {
    for (action, product) in [("add", "Test device"), ("remove", "fob keychain")] {
      for path in [Udevadm.device, Udevadm.port] {
        let udev = try Udevadm(
          rules: folder, action: action, of: path, product: product, in: scratch)
        #expect(udev["ACTION"] == action, "\(udev.output)")
        #expect(udev["FOB_KEYCHAIN"] == nil && udev["ID_MM_DEVICE_IGNORE"] == nil)
        #expect(udev["TAGS"]?.contains("fob") != true)
        #expect(udev.said.isEmpty)
      }
    }
  }

  @Test func `udev finds no fault in the file, and would in one with a fault, real udevadm`() throws
  {
    let shipped = try Udevadm(rules: folder, action: "remove", of: Udevadm.port, in: scratch)
    #expect(shipped.output.contains("70-fob.rules\n"), "the file was not read")
    #expect(shipped.said.isEmpty)
    let text = try String(contentsOfFile: UdevRulesTests.path, encoding: .utf8)
    for (right, wrong) in [("LABEL=", "LABLE="), ("MODE=\"", "MODE=="), ("ATTR{", "ATTR(")] {
      let broken = try ScratchDirectory()
      try Data(text.replacing(right, with: wrong).utf8)
        .write(to: URL(filePath: broken.path("70-fob.rules")))
      let udev = try Udevadm(rules: broken.path, action: "remove", of: Udevadm.port, in: scratch)
      #expect(!udev.said.isEmpty, "\(wrong) was not found")
    }
  }

  /// systemd 254 and later; Debian 12 has 252.
  @Test(.enabled(if: Udevadm.canVerify)) func `udevadm verify passes the file`() throws {
    #expect(try Udevadm.verify(UdevRulesTests.path) == "")
  }

  private func expectGiven(_ udev: Udevadm) {
    #expect(udev["FOB_KEYCHAIN"] == "1" && udev["ID_MM_DEVICE_IGNORE"] == "1", "\(udev.output)")
    #expect(Set((udev["TAGS"] ?? "").split(separator: ":")).isSuperset(of: ["fob", "uaccess"]))
    // A number, or the name where this system has no such group.
    #expect(udev.said.contains { $0.contains(" GROUP ") || $0.contains("plugdev") })
  }
}
