import Testing
import USB

@Suite struct DescriptorTests {
  private func descriptor(
    _ speed: USBSpeed, _ kind: UInt16, _ index: UInt16 = 0, language: UInt16 = 0,
    length: UInt16 = 1_024
  ) -> Answer {
    var bench = Bench(speed, isConfigured: false)
    return bench.control(0x80, 6, kind << 8 | index, language, length: length)
  }

  @Test(arguments: USBSpeed.allCases)
  func `the device says who it is`(speed: USBSpeed) {
    let device = descriptor(speed, 1).data
    #expect(device.count == 18 && device[0] == 18 && device[1] == 1)
    #expect(DescriptorReader.word(device, 2) == 0x0200, "USB 2.0")
    #expect(DescriptorReader.word(device, 8) == 0x1209)
    #expect(DescriptorReader.word(device, 10) == 0x0001)
    #expect(device[7] == 64, "the only packet size of endpoint 0 at high speed")
    #expect(device[17] == 1, "configurations")
  }

  @Test(arguments: USBSpeed.allCases)
  func `the configuration is a serial port`(speed: USBSpeed) throws {
    let port = try DescriptorReader(configuration: descriptor(speed, 2).data)
    #expect(port.kind == 2 && port.value == 1)
    #expect(port.attributes == 0x80 && port.milliamperes == 100)
    #expect(port.interfaces.map(\.number) == [0, 1])
    #expect(port.interfaces.map(\.alternate) == [0, 0])
    let (communication, data) = (port.interfaces[0], port.interfaces[1])
    #expect(communication.triple == [2, 2, 0], "abstract control model")
    #expect(communication.functional[0] == [0x10, 0x01], "CDC 1.10")
    #expect(communication.functional[1] == [0, 1], "no call management, data on 1")
    #expect(communication.functional[2] == [6], "line state and break")
    #expect(communication.functional[6] == [0, 1], "a union of both")
    #expect(communication.endpoints.map(\.address) == [0x82])
    #expect(communication.endpoints[0].transfer == 3)
    #expect(communication.endpoints[0].packet >= 10, "room for SERIAL_STATE")
    #expect(data.triple == [0x0A, 0, 0])
    let packet = speed == .full ? 64 : 512
    #expect(
      data.endpoints == [
        .init(address: 0x01, transfer: 2, packet: packet, interval: 0),
        .init(address: 0x81, transfer: 2, packet: packet, interval: 0),
      ])
  }

  @Test func `the strings are there in English alone`() throws {
    #expect(descriptor(.full, 3, 0).data == [4, 3, 9, 4])
    let texts = try (1...3).map {
      try DescriptorReader.text(descriptor(.full, 3, UInt16($0), language: 0x0409).data)
    }
    #expect(texts == ["fob", "fob keychain", "8000000000000001"])
    #expect(descriptor(.full, 3, 1, language: 0x0407).status == -32)
    #expect(descriptor(.full, 3, 4, language: 0x0409).status == -32)
  }

  @Test func `at high speed it says what it would be at full speed`() throws {
    #expect(descriptor(.high, 6).data == [10, 6, 0, 2, 2, 0, 0, 64, 1, 0])
    let other = try DescriptorReader(configuration: descriptor(.high, 7).data)
    #expect(other.kind == 7)
    #expect(other.interfaces[1].endpoints.map(\.packet) == [64, 64])
    #expect(descriptor(.full, 6).status == -32)
    #expect(descriptor(.full, 7).status == -32)
  }

  @Test(arguments: [UInt16(0), 4, 5, 8, 11, 15, 0x21, 255])
  func `what it does not have stalls`(kind: UInt16) {
    #expect(descriptor(.high, kind).status == -32)
  }

  @Test func `a host that asks for less gets the beginning`() {
    let whole = descriptor(.full, 2).data
    for length in [1, 8, 9, 66, 67] {
      #expect(descriptor(.full, 2, length: UInt16(length)).data == Array(whole.prefix(length)))
    }
    #expect(descriptor(.full, 2, length: 0).data.isEmpty)
  }

  @Test func `a long serial number is cut where a descriptor ends`() throws {
    let identity = USBIdentity.keychain(serial: String(repeating: "ä", count: 300))
    var device = KeychainUSBDevice(KeychainDescriptors(identity, speed: .full))
    let setup = SetupPacket(
      requestType: 0x80, request: 6, value: 0x303, index: 0x409, length: 255)
    _ = device.take(
      .submit(
        USBRequestBlock(sequence: 1, endpoint: 0, isIn: true, length: 255, setup: setup)))
    var bytes: [UInt8] = []
    device.answers.send {
      bytes += $0
      return $0.count
    }
    let data = Answer.all(bytes) { _ in true }[0].data
    #expect(try DescriptorReader.text(data).count == 126)
  }
}
