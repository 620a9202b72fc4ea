import FobBase
import Glibc
import SerialIO
import TestSupport
import Testing
import Transport

/// Another program on the port, on a real pty.
@Suite final class LineModeTests {
  private let folder: ScratchDirectory
  private let device: Device
  private let journal = Journal()
  private let line: DeviceLine

  init() throws {
    folder = try ScratchDirectory()
    device = Device(at: folder.path + "/device")
    line = try DeviceLine(DeviceSpec(pty: device.name), handlers: journal.handlers)
  }

  deinit { line.stop() }

  @Test func `a line that another program has made sane is raw again within 5 s, told once`() throws
  {
    try device.plug()
    try line.start()
    try journal.await(.opened)
    try device.say([1])
    #expect(try journal.bytes(1) == [1])
    let began = BootClock.now()
    try makeSane()
    try journal.await(.restored)
    #expect(BootClock.now() - began < .seconds(5))
    // Cooked, not one of these would come as it is.
    let bytes: [UInt8] = [0x0D, 0x03, 0x11, 0x13, 0x00, 0xFF]
    try device.say(bytes)
    #expect(try journal.bytes(bytes.count) == bytes)
    #expect(!journal.all.contains(.restored))
  }

  /// As stty sane leaves it.
  private func makeSane() throws {
    let port = open(device.name, O_RDWR | O_NOCTTY)
    try #require(port >= 0)
    defer { close(port) }
    var mode = termios()
    try #require(tcgetattr(port, &mode) == 0)
    mode.c_iflag |= tcflag_t(ICRNL | IXON | BRKINT)
    mode.c_oflag |= tcflag_t(OPOST | ONLCR)
    mode.c_lflag |= tcflag_t(ICANON | ISIG | IEXTEN)
    try #require(tcsetattr(port, TCSANOW, &mode) == 0)
  }
}
