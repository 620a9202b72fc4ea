import Testing
import USB

/// What a device is asked for its serial number, and what is made of its answers.
@Suite struct USBIPSerialNumberTests {
  @Test func `the device descriptor, the languages and the text are asked for in turn`() throws {
    var question = USBIPSerialNumber(deviceID: 0x0001_0002)
    let first = question.takeRequest()
    #expect(first.count == 48 && question.takeRequest().isEmpty)
    #expect(Array(first[0..<4]) == [0, 0, 0, 1] && Array(first[8..<12]) == [0, 1, 0, 2])
    #expect(Array(first[12..<20]) == [0, 0, 0, 1, 0, 0, 0, 0], "IN, endpoint 0")
    #expect(Array(first[40...]) == [0x80, 6, 0, 1, 0, 0, 18, 0])
    try answer(&question, to: first, Self.descriptor(serial: 3))
    let second = question.takeRequest()
    #expect(Array(second[40...]) == [0x80, 6, 0, 3, 0, 0, 255, 0])
    try answer(&question, to: second, [4, 3, 0x09, 0x04])
    let third = question.takeRequest()
    #expect(Array(third[40...]) == [0x80, 6, 3, 3, 0x09, 0x04, 255, 0])
    #expect(Set([first, second, third].map { Array($0[4..<8]) }).count == 3, "sequence numbers")
    try answer(&question, to: third, [8, 3, 0x41, 0, 0x34, 0, 0x32, 0])
    #expect(question.wanted == 0 && question.takeRequest().isEmpty)
    #expect(question.text == "A42")
  }

  @Test func `a device without a serial number has none, without further questions`() throws {
    var question = USBIPSerialNumber(deviceID: 1)
    try answer(&question, to: question.takeRequest(), Self.descriptor(serial: 0))
    #expect(question.wanted == 0 && question.text == nil)
  }

  @Test func `a device that stalls tells no serial number`() throws {
    var question = USBIPSerialNumber(deviceID: 1)
    try answer(&question, to: question.takeRequest(), Self.descriptor(serial: 3))
    try answer(&question, to: question.takeRequest(), [], status: -32)
    #expect(question.wanted == 0 && question.text == nil)
  }

  @Test func `a descriptor that is cut short or claims more than came is no trap`() throws {
    for serial: [UInt8] in [
      [2, 3], [255, 3, 0x41], [0, 3], [3, 3, 0x41, 0], [9], [4, 4, 1, 1],
    ] {
      var question = USBIPSerialNumber(deviceID: 1)
      try answer(&question, to: question.takeRequest(), Self.descriptor(serial: 3))
      try answer(&question, to: question.takeRequest(), [4, 3, 9, 4])
      try answer(&question, to: question.takeRequest(), serial)
      #expect(question.wanted == 0 && question.text == nil)
    }
  }

  @Test func `an answer to another request, or longer than asked, is refused`() throws {
    for change: (inout [UInt8]) -> Void in [
      { $0[3] = 4 }, { $0[7] ^= 1 }, { $0[26] = 1 }, { $0[24] = 255 }, { $0[20] = 1 },
    ] {
      var question = USBIPSerialNumber(deviceID: 1)
      var header = Self.header(to: question.takeRequest(), count: 18, status: 0)
      change(&header)
      #expect(throws: USBIPReplyError.answer) { try question.take(header) }
    }
  }

  private static func descriptor(serial: UInt8) -> [UInt8] {
    [18, 1, 0, 2, 2, 0, 0, 64, 0x09, 0x12, 1, 0, 0, 1, 1, 2, serial, 1]
  }

  private static func header(to request: [UInt8], count: UInt8, status: Int8) -> [UInt8] {
    [0, 0, 0, 3] + request[4..<8] + [UInt8](repeating: 0, count: 12)
      + [UInt8](repeating: status < 0 ? 255 : 0, count: 3) + [UInt8(bitPattern: status)]
      + [0, 0, 0, count] + [UInt8](repeating: 0, count: 20)
  }

  private func answer(
    _ question: inout USBIPSerialNumber, to request: [UInt8], _ bytes: [UInt8], status: Int8 = 0
  ) throws {
    #expect(question.wanted == 48)
    try question.take(Self.header(to: request, count: UInt8(bytes.count), status: status))
    guard !bytes.isEmpty else { return }
    #expect(question.wanted == bytes.count)
    try question.take(bytes)
  }
}
