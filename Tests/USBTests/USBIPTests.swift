import TestSupport
import Testing
import USB

/// The bytes of USB/IP, as the kernel's document lays them out.
@Suite struct USBIPTests {
  private let record = USBIPDeviceRecord(
    path: "/sys/devices/fob/usb1/1-7", busID: "1-7", busNumber: 1, deviceNumber: 8, speed: .high,
    vendor: 0x1209, product: 0x0001, release: 0x0123, deviceClass: 2, configuration: 1,
    interfaces: 2)

  private func take(
    _ handshake: inout USBIPHandshake, _ bytes: [UInt8]
  ) throws -> USBIPRequest? {
    try bytes.withUnsafeBytes { try handshake.take($0) }
  }

  @Test func `a record has its fields where the document says`() {
    var bytes: [UInt8] = []
    record.write(to: &bytes)
    #expect(bytes.count == 312)
    #expect(String(decoding: bytes[..<25], as: UTF8.self) == record.path && bytes[25] == 0)
    #expect(Array(bytes[256..<260]) == [0x31, 0x2D, 0x37, 0])
    #expect(
      Array(bytes[288...]) == [
        0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 3, 0x12, 0x09, 0, 1, 0x01, 0x23, 2, 0, 0, 1, 1, 2,
      ])
    #expect(record.deviceID == 0x1_0008)
    #expect(bytes.withUnsafeBytes { USBIPDeviceRecord($0) } == record)
    #expect(bytes.dropLast().withUnsafeBytes { USBIPDeviceRecord($0) } == nil)
  }

  @Test func `long names are cut and still end`() {
    var long = record
    long.path = String(repeating: "p", count: 400)
    long.busID = String(repeating: "b", count: 40)
    var bytes: [UInt8] = []
    long.write(to: &bytes)
    let read = bytes.withUnsafeBytes { USBIPDeviceRecord($0) }
    #expect(bytes.count == 312 && bytes[255] == 0 && bytes[287] == 0)
    #expect(read?.path.count == 255 && read?.busID.count == 31)
  }

  @Test func `a request is read to its last byte and no further`() throws {
    for request in [USBIPRequest.deviceList, .importDevice(busID: "1-1")] {
      var handshake = USBIPHandshake()
      var rest = request.bytes[...]
      var found: USBIPRequest?
      while found == nil {
        let piece = Array(rest.prefix(min(3, handshake.missing)))
        #expect(!piece.isEmpty)
        rest = rest.dropFirst(piece.count)
        found = try take(&handshake, piece)
      }
      #expect(found == request && rest.isEmpty)
    }
    #expect(USBIPRequest.importDevice(busID: "1-1").bytes.prefix(4) == [1, 0x11, 0x80, 3])
    #expect(USBIPRequest.deviceList.bytes == [1, 0x11, 0x80, 5, 0, 0, 0, 0])
  }

  @Test(
    arguments: [
      [1, 0x10, 0x80, 5, 0, 0, 0, 0], [1, 0x11, 0x80, 4, 0, 0, 0, 0],
      [0x47, 0x45, 0x54, 0x20, 0x2F, 0x20, 0x48, 0x54],
    ] as [[UInt8]])
  func `another version and another request are refused`(bytes: [UInt8]) {
    var handshake = USBIPHandshake()
    #expect(throws: USBIPFailure.self) { try take(&handshake, bytes) }
  }

  @Test func `replies are as the document has them`() {
    #expect(USBIPReply.importRefused == [1, 0x11, 0, 3, 0, 0, 0, 1])
    #expect(USBIPReply.imported(record).count == 320)
    #expect(USBIPReply.deviceList([]) == [1, 0x11, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0])
    let list = USBIPReply.deviceList([
      (record, KeychainDescriptors.interfaces), (record, []),
    ])
    #expect(list.count == 12 + 2 * 312 + 8)
    #expect(Array(list[324..<332]) == [2, 2, 0, 0, 0x0A, 0, 0, 0])
    #expect(list[12 + 311] == 2 && list.last == 0, "so many interfaces follow")
  }

  // MARK: URBs

  private func header(
    _ code: UInt32, _ sequence: UInt32 = 1, device: UInt32 = 0x10002, direction: UInt32 = 0,
    endpoint: UInt32 = 1, length: Int32 = 0, packets: Int32 = 0
  ) -> [UInt8] {
    let words = [
      code, sequence, device, direction, endpoint, 0, UInt32(bitPattern: length), 0,
      UInt32(bitPattern: packets), 0,
    ]
    return words.flatMap { word in (0..<4).map { UInt8(word >> (24 - 8 * $0) & 255) } }
      + [0x80, 6, 0, 1, 0, 0, 18, 0]
  }

  private func read(_ bytes: [UInt8], by piece: Int = 1_000) throws -> [USBIPCommand] {
    var reader = USBIPCommandReader(deviceID: 0x10002)
    var found: [USBIPCommand] = []
    for start in stride(from: 0, to: bytes.count, by: piece) {
      try bytes[start..<min(start + piece, bytes.count)].withUnsafeBytes { raw in
        var chunk = raw
        while let command = try reader.next(&chunk) { found.append(command) }
        #expect(chunk.isEmpty)
      }
    }
    return found
  }

  @Test(arguments: [1, 7, 48, 49, 1_000])
  func `URBs are read however the stream is cut`(piece: Int) throws {
    let bytes =
      header(1, 5, direction: 1, endpoint: 0, length: 18) + header(1, 6, length: 3) + [7, 8, 9]
      + header(2, 7, direction: 5) + header(1, 8, direction: 1, length: 512, packets: -1)
    #expect(
      try read(bytes, by: piece) == [
        .submit(
          USBRequestBlock(
            sequence: 5, endpoint: 0, isIn: true, length: 18,
            setup: SetupPacket(requestType: 0x80, request: 6, value: 0x100, length: 18))),
        .submit(
          USBRequestBlock(
            sequence: 6, endpoint: 1, isIn: false, length: 3,
            setup: SetupPacket(requestType: 0x80, request: 6, value: 0x100, length: 18),
            data: [7, 8, 9])),
        .unlink(sequence: 7, victim: 0),
        .submit(
          USBRequestBlock(
            sequence: 8, endpoint: 1, isIn: true, length: 512,
            setup: SetupPacket(requestType: 0x80, request: 6, value: 0x100, length: 18))),
      ])
  }

  @Test func `what no host sends ends the connection with a reason`() {
    let impossible = [
      header(0), header(3), header(0x0111_8003), header(1, device: 3), header(2, device: 3),
      header(1, direction: 2), header(1, endpoint: 16), header(1, length: -1),
      header(1, length: 1 << 20 + 1), header(1, direction: 1, length: .min),
      header(1, packets: 1), header(1, packets: -2),
    ]
    for bytes in impossible {
      let failure = #expect(throws: USBIPFailure.self) { try read(bytes) }
      #expect(failure?.description.isEmpty == false)
    }
  }

  @Test func `noise never traps`() {
    var random = SeededGenerator(seed: 71)
    for _ in 0..<2_000 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        bytes += header(
          .random(in: 0...3, using: &random), direction: .random(in: 0...2, using: &random),
          endpoint: .random(in: 0...17, using: &random),
          length: .random(in: -2...200, using: &random))
        if Bool.random(using: &random) {
          bytes[.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
        }
        bytes += (0..<Int.random(in: 0...60, using: &random)).map { UInt8($0) }
      }
      _ = try? read(bytes, by: .random(in: 1...100, using: &random))
    }
  }
}
