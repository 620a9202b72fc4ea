import Glibc
import SerialIO
import Testing

@Suite struct RawModeTests {
  private static let everyByte = (0...255).map { UInt8($0) }

  @Test func `every byte passes both ways as it is, from the first on, on a real pty`() throws {
    let device = try PseudoTerminal()
    let host = try TerminalProbe.open(device.slavePath)
    try TerminalProbe.writeAll(Self.everyByte, to: device.master)
    #expect(try TerminalProbe.read(256, from: host) == Self.everyByte)
    try TerminalProbe.writeAll(Self.everyByte, to: host)
    #expect(try TerminalProbe.read(256, from: device.master) == Self.everyByte)
  }

  @Test func `what was sent before the host opened is not echoed, on a real pty`() throws {
    let device = try PseudoTerminal()
    let sent: [UInt8] = [0x00, 0x0D, 0x03, 0x04, 0x1A, 0x11, 0x13, 0x7F, 0xFF, 0x0A]
    try TerminalProbe.writeAll(sent, to: device.master)
    let host = try TerminalProbe.open(device.slavePath)
    #expect(try TerminalProbe.read(sent.count, from: host) == sent)
    try TerminalProbe.writeAll([0x55], to: host)
    #expect(try TerminalProbe.read(1, from: device.master) == [0x55], "an echo would come first")
  }

  @Test func `the mode outlives the host that opened the line, on a real pty`() throws {
    let device = try PseudoTerminal()
    for _ in 0..<3 {
      let host = try TerminalProbe.open(device.slavePath)
      try TerminalProbe.writeAll([0x03, 0x0D], to: device.master)
      #expect(try TerminalProbe.read(2, from: host) == [0x03, 0x0D])
    }
  }

  @Test func `a serial line makes a cooked terminal raw, on a real pty`() throws {
    var master: Int32 = -1
    var slave: Int32 = -1
    try #require(openpty(&master, &slave, nil, nil, nil) == 0)
    let device = OwnedDescriptor(owning: master, path: "a cooked pty")
    let keeper = OwnedDescriptor(owning: slave, path: "its slave")
    try #require(fcntl(device.number, F_SETFL, O_RDWR | O_NONBLOCK) == 0)
    let path = String(cString: ttyname(keeper.number))
    let host = try SerialLine(path: path, settings: SerialSettings(baud: 250_000)).intoDescriptor()
    try TerminalProbe.writeAll(Self.everyByte, to: device)
    #expect(try TerminalProbe.read(256, from: host) == Self.everyByte)
    try TerminalProbe.writeAll(Self.everyByte, to: host)
    #expect(try TerminalProbe.read(256, from: device) == Self.everyByte)
  }
}
