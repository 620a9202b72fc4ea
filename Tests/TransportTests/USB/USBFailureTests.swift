import CUSB
import Glibc
import SerialIO
import TestSupport
import Testing

@testable import Transport

@Suite struct USBFailureTests {
  @Test func `a refused permission names the group and the rule`() {
    let failure = USBFailure.of(LIBUSB_ERROR_ACCESS.rawValue, "open", "usb:1209:0001:A")
    #expect(failure.errno == EACCES)
    #expect(failure.description.hasPrefix("cannot open usb:1209:0001:A: permission denied"))
    #expect(failure.description.contains("plugdev"))
    #expect(failure.description.contains("make install-udev"))
  }

  @Test(
    arguments: [
      (LIBUSB_ERROR_BUSY, EBUSY, "another program has it open by libusb"),
      (LIBUSB_ERROR_NO_DEVICE, ENODEV, "it has been unplugged"),
      (LIBUSB_ERROR_NOT_FOUND, ENOENT, "the device has no such part"),
      (LIBUSB_ERROR_TIMEOUT, ETIMEDOUT, "it did not answer in time"),
      (LIBUSB_ERROR_PIPE, EPIPE, "the device refuses it (stall)"),
    ])
  func `each code has its errno and says what is wrong`(
    code: libusb_error, number: Int32, words: String
  ) {
    let failure = USBFailure.of(code.rawValue, "claim interface 1 of", "usb:1209:0001")
    #expect(failure.errno == number)
    #expect(failure.description.hasPrefix("cannot claim interface 1 of usb:1209:0001: \(words)"))
  }

  @Test func `a code that nobody knows is an input or output error with its number`() {
    let failure = USBFailure.of(-77, "open", "usb:1209:0001")
    #expect(failure.errno == EIO)
    #expect(failure.description == "cannot open usb:1209:0001: libusb says -77")
  }

  @Test func `a node that has gone is an unplugged device`() {
    let gone = IOFailure("open", errno: ENOENT, path: "/dev/bus/usb/001/009")
    #expect(
      USBFailure.opening("usb:1209:0001:A", gone).description
        == "cannot open usb:1209:0001:A: it has been unplugged")
  }

  @Test func `an address that nothing has is refused`() {
    let nowhere = USBAddress(vendor: 0xFFFF, product: 0xFFFE)
    let failure = #expect(throws: IOFailure.self) { try AttachedDevice.find(nowhere) }
    #expect(failure?.errno == ENODEV && failure?.path == "usb:ffff:fffe")
  }

  @Test func `FW_INFO is board and build, parted by a zero byte`() throws {
    let firmware = try #require(KeychainFirmware(Array("a board\u{0}0.1.0".utf8)))
    #expect(firmware.board == "a board" && firmware.build == "0.1.0")
    #expect(KeychainFirmware(Array("a board".utf8)) == nil)
    #expect(KeychainFirmware([0xFF, 0x00, 0x31]) == nil)
    #expect(KeychainFirmware([0x00]) != nil)
  }

  @Test(arguments: 1...200 as ClosedRange<UInt64>)
  func `any bytes are an FW_INFO or none`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let bytes = (0..<Int.random(in: 0...245, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    #expect(KeychainFirmware(bytes).map { !$0.build.utf8.isEmpty || bytes.contains(0) } ?? true)
  }
}
