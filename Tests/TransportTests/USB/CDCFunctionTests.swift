import TestSupport
import Testing
import Transport

@Suite struct CDCFunctionTests {
  private static let bulk = [
    USBInterface.Endpoint(address: 0x01, attributes: 2, packet: 64),
    USBInterface.Endpoint(address: 0x81, attributes: 2, packet: 64),
  ]
  private static let control = USBInterface(
    number: 0, classCode: 2, subclass: 2,
    endpoints: [USBInterface.Endpoint(address: 0x82, attributes: 3, packet: 8)])

  private func data(_ number: UInt8, _ endpoints: [USBInterface.Endpoint] = bulk) -> USBInterface {
    USBInterface(number: number, classCode: 0x0A, subclass: 0, endpoints: endpoints)
  }

  @Test func `a keychain's line is its data interface and the one that controls it`() throws {
    let line = try #require(CDCFunction([Self.control, data(1)]))
    #expect(line.control == 0 && line.data == 1)
    #expect(line.incoming == 0x81 && line.outgoing == 0x01)
    #expect(line.incomingPacket == 64 && line.outgoingPacket == 64)
  }

  @Test func `numbers say nothing: class and endpoints do`() throws {
    let disk = USBInterface(number: 0, classCode: 8, subclass: 6, endpoints: Self.bulk)
    var control = Self.control
    control.number = 3
    let line = try #require(CDCFunction([disk, control, data(4)]))
    #expect(line.control == 3 && line.data == 4)
  }

  @Test func `the union descriptor says which data interface is controlled`() throws {
    var first = Self.control
    first.extra = [5, 0x24, 0x00, 0x20, 0x01, 5, 0x24, 0x06, 0, 2]
    var second = Self.control
    second.number = 1
    second.extra = [5, 0x24, 0x06, 1, 3]
    let line = try #require(CDCFunction([first, second, data(2), data(3)]))
    #expect(line.control == 0 && line.data == 2)
    let other = try #require(CDCFunction([first, second, data(2, []), data(3)]))
    #expect(other.control == 1 && other.data == 3)
  }

  @Test func `without a bulk endpoint each way there is no line`() {
    #expect(CDCFunction([Self.control]) == nil)
    #expect(CDCFunction([Self.control, data(1, [Self.bulk[0]])]) == nil)
    #expect(CDCFunction([Self.control, data(1, [Self.bulk[1]])]) == nil)
    let empty = Self.bulk.map { endpoint in
      USBInterface.Endpoint(address: endpoint.address, attributes: 2, packet: 0)
    }
    #expect(CDCFunction([Self.control, data(1, empty)]) == nil)
    #expect(CDCFunction([]) == nil)
  }

  @Test func `a line without control interface has none`() throws {
    #expect(try #require(CDCFunction([data(0)])).control == nil)
  }

  @Test(arguments: 1...500 as ClosedRange<UInt64>)
  func `garbage is no line, or one with an endpoint each way`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    func byte() -> UInt8 { UInt8.random(in: 0...255, using: &random) }
    let interfaces = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      USBInterface(
        number: byte(), classCode: [2, 0x0A, byte()].randomElement(using: &random)!,
        subclass: [2, byte()].randomElement(using: &random)!,
        endpoints: (0..<Int.random(in: 0...4, using: &random)).map { _ in
          USBInterface.Endpoint(
            address: byte(), attributes: [2, byte()].randomElement(using: &random)!,
            packet: UInt16.random(in: 0 ... .max, using: &random))
        },
        extra: (0..<Int.random(in: 0...20, using: &random)).map { _ in byte() % 8 })
    }
    guard let line = CDCFunction(interfaces) else { return }
    #expect(line.incoming & 0x80 != 0 && line.outgoing & 0x80 == 0)
    #expect((1...1_024).contains(line.incomingPacket) && (1...1_024).contains(line.outgoingPacket))
  }
}
