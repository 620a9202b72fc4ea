import Testing

@testable import fob

/// The status files of vhci_hcd as the kernel writes them.
@Suite struct VHCIPortTests {
  static let text = """
    hub port sta spd dev      sockfd local_busid
    hs  0000 006 002 00010002 000003 1-1
    hs  0001 004 000 00000000 000000 0-0
    hs  0002 005 003 00020003 000004 0-0
    ss  0008 004 000 00000000 000000 0-0
    ss  0009 004 000 00000000 000000 0-0

    """

  @Test func `each line is a port, with the device that is attached to it`() {
    let ports = VHCIPort.read(Self.text)
    #expect(ports.map(\.number) == [0, 1, 2, 8, 9])
    #expect(ports.map(\.isFree) == [false, true, false, true, true])
    #expect(ports.map(\.hub) == [.highSpeed, .highSpeed, .highSpeed, .superSpeed, .superSpeed])
    #expect(ports.map(\.device) == [0x0001_0002, nil, 0x0002_0003, nil, nil])
    #expect(ports.map(\.busID) == ["1-1", nil, nil, nil, nil])
  }

  @Test(arguments: [(1, 1), (2, 1), (3, 1), (5, 8), (6, 8)] as [(UInt32, Int)])
  func `the free port is the lowest of the hub for that speed`(speed: UInt32, number: Int) {
    #expect(VHCIPort.free(for: speed, in: VHCIPort.read(Self.text).reversed())?.number == number)
  }

  @Test func `where no port of that hub is free, there is none`() {
    let ports = VHCIPort.read(Self.text).filter { $0.number != 1 }
    #expect(VHCIPort.free(for: 2, in: ports) == nil)
  }

  @Test(arguments: [
    "", "hs", "hs 0001 004 000 00000000 000000", "xx  0001 004 000 00000000 000000 0-0",
    "hs  -001 004 000 00000000 000000 0-0", "hs  0001 004 000 0000000g 000000 0-0",
    "hs  99999999999999999999 004 000 00000000 000000 0-0",
  ])
  func `another line is passed over`(line: String) {
    #expect(VHCIPort.read(line).isEmpty)
  }
}
