import Foundation
import TestSupport
import Testing
import Transport

@testable import fob

/// Drives as `fob flash` finds and reads them.
@Suite struct MicrobitDriveTests {
  @Test func `the one micro:bit among the mounts is found by what stands on its drive`() throws {
    let folder = try ScratchDirectory()
    let stick = try drive("STICK", "not a board\n", in: folder)
    #expect(throws: Failure.self) { try MicrobitDrive.mounted(in: mounts([stick])) }
    let first = try drive("MY MICROBIT", FakeMicrobit.details, in: folder)
    let found = try MicrobitDrive.mounted(in: mounts([stick, first]))
    #expect(found.path == first && found.version == .one && found.boardID == "9900")
    let second = try drive("MICROBIT1", "Unique ID: 99050002\n", in: folder)
    let failure = #expect(throws: Failure.self) {
      try MicrobitDrive.mounted(in: mounts([first, second]))
    }
    #expect(failure?.text.contains("choose one with --drive, of \(first), \(second)") == true)
  }

  @Test func `an old DAPLink tells its board in MICROBIT.HTM`() throws {
    let folder = try ScratchDirectory()
    let path = try drive("MICROBIT", "Version: 0234\n", in: folder)
    try Data(#"url=https://microbit.org/device/?id=9901&v=0234""#.utf8)
      .write(to: URL(filePath: path + "/MICROBIT.HTM"))
    let found = try MicrobitDrive(at: path)
    #expect(found.boardID == "9901" && found.uniqueID == nil)
    #expect(found.port(in: [port(0, "9901000052"), port(1, "9904000052")]) == "/dev/ttyACM0")
    #expect(found.port(in: [port(0, "9901000052"), port(1, "9901000053")]) == nil)
  }

  @Test func `the port is that of the drive's own board`() throws {
    let folder = try ScratchDirectory()
    let found = try MicrobitDrive(at: drive("MICROBIT", "Unique ID: 990412\n", in: folder))
    #expect(found.port(in: [port(0, "990413"), port(1, "990412")]) == "/dev/ttyACM1")
    #expect(found.port(in: [port(0, "990413"), port(1, "990412", vendor: "0403")]) == nil)
  }

  /// Longer ones exist: a DAPLink may tell of its bootloader and of its errors, too.
  @Test func `details are read to their end, and no file of a drive without one`() throws {
    let folder = try ScratchDirectory()
    let details = FakeMicrobit.details.replacing("Interface\n", with: "Bootloader\n")
    let long = try drive(
      "LONG", String(repeating: "# of DAPLink\n", count: 400) + details, in: folder)
    let failure = #expect(throws: Failure.self) { try MicrobitDrive(at: long) }
    #expect(failure?.text.contains("in maintenance mode") == true)
    let endless = try drive(
      "ENDLESS", FakeMicrobit.details + String(repeating: "# of DAPLink\n", count: 6_000),
      in: folder)
    let refusal = #expect(throws: Failure.self) { try MicrobitDrive(at: endless) }
    #expect(refusal?.text.contains("DETAILS.TXT: it has more than 65536 bytes") == true)
  }

  @Test(arguments: OtherFile.allCases)
  func `what is no regular file tells nothing, and is not waited for`(other: OtherFile) throws {
    let folder = try ScratchDirectory()
    let path = try drive("MICROBIT", FakeMicrobit.details, in: folder)
    try other.make(at: path + "/FAIL.TXT")
    #expect(try MicrobitDrive(at: path).complaint == nil)
    try FileManager.default.removeItem(atPath: path + "/DETAILS.TXT")
    try other.make(at: path + "/DETAILS.TXT")
    let failure = #expect(throws: Failure.self) { try MicrobitDrive(at: path) }
    #expect(failure?.text.contains("DETAILS.TXT: it is no regular file") == true)
  }

  @Test func `FAIL.TXT is new where it was not there, or says or dates something else`() throws {
    let folder = try ScratchDirectory()
    let path = try drive("MICROBIT", FakeMicrobit.details, in: folder)
    let fail = path + "/FAIL.TXT"
    func complain(_ words: String, at seconds: TimeInterval = 1_000) throws {
      try Data(words.utf8).write(to: URL(filePath: fail))
      let date = Date(timeIntervalSince1970: seconds)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: fail)
    }
    let silent = try MicrobitDrive(at: path)
    #expect(silent.complaint == nil)
    try complain("The transfer timed out.\r\n")
    #expect(silent.complaint?.isNew == true)
    let found = try MicrobitDrive(at: path)
    #expect(found.complaint?.text == "The transfer timed out." && found.complaint?.isNew == false)
    try complain("The transfer timed out.\r\n", at: 1_002)
    #expect(found.complaint?.isNew == true)
    try complain("The hex file cannot be decoded.\r\nLine 3\r\n")
    #expect(found.complaint?.text == "The hex file cannot be decoded. Line 3")
    #expect(found.complaint?.isNew == true)
  }

  @Test func `the mode is seen however its line is spaced`() throws {
    let folder = try ScratchDirectory()
    for (number, line) in [
      "DAPLink Mode : Bootloader", "  daplink mode\t:\tBootloader  ", "Daplink Mode:Bootloader",
    ].enumerated() {
      let path = try drive("\(number)", "Unique ID: 9900\n\(line)\n", in: folder)
      let failure = #expect(throws: Failure.self) { try MicrobitDrive(at: path) }
      #expect(failure?.text.contains("in maintenance mode") == true)
    }
  }

  @Test func `what the kernel writes in octal is read, and each only once`() {
    #expect(
      MicrobitDrive.folders(
        in: """
          /dev/a /m/a\\040b\\011c\\012d\\134e vfat rw 0 0
          /dev/b /m/\\134040 msdos rw 0 0
          /dev/c /m/\\08\\\u{2028} vfat rw 0 0
          /dev/d /m/\\040 ext4 rw 0 0
          """) == ["/m/a b\tc\nd\\e", "/m/\\040", "/m/\\08\\\u{2028}"])
  }

  @Test func `no word of a drive acts on the terminal`() throws {
    let folder = try ScratchDirectory()
    let words = "\u{1B}]0;x\u{7} \u{9B}2J \u{202E} \u{2066}"
    let path = try drive("MICROBIT", FakeMicrobit.details, in: folder)
    let found = try MicrobitDrive(at: path)
    try Data((words + String(repeating: "x", count: 5_000)).utf8)
      .write(to: URL(filePath: path + "/FAIL.TXT"))
    let complaint = try #require(found.complaint).text
    #expect(complaint.hasPrefix(#"\u{1b}]0;x\u{7} \u{9b}2J \u{202e} \u{2066}xxx"#))
    #expect(complaint.count < 500)
    let other = try drive("OTHER", "Unique ID: \u{1B}[2J\n", in: folder)
    let failure = #expect(throws: Failure.self) { try MicrobitDrive(at: other) }
    #expect(failure?.text.hasSuffix(#"another board than a micro:bit, \u{1b}[2J"#) == true)
  }

  private func drive(
    _ name: String, _ details: String, in folder: ScratchDirectory
  ) throws -> String {
    let path = folder.path(name)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try Data(details.utf8).write(to: URL(filePath: path + "/DETAILS.TXT"))
    return path
  }

  private func mounts(_ folders: [String]) -> String {
    "/dev/sda1 / ext4 rw 0 0\n"
      + folders.map { "/dev/sdb \($0.replacing(" ", with: "\\040")) vfat rw 0 0\n" }.joined()
  }

  private func port(_ number: Int, _ serial: String, vendor: String = "0d28") -> SerialPort {
    var port = SerialPort(
      path: "/dev/ttyACM\(number)", spec: "serial:/dev/ttyACM\(number)", names: [])
    port.usb = SerialPort.USB(vendor: vendor, product: "0204", serial: serial, name: nil)
    return port
  }
}
