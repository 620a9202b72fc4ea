import TestSupport
import Testing
import USB

/// The importer's half of USB/IP against bytes put together by hand.
@Suite struct USBIPImportTests {
  @Test func `a device list is asked for and read, interfaces passed over`() throws {
    var list = USBIPDeviceList()
    #expect(list.takeRequest() == [0x01, 0x11, 0x80, 0x05, 0, 0, 0, 0])
    #expect(list.takeRequest().isEmpty)
    let reply =
      [0x01, 0x11, 0, 5, 0, 0, 0, 0, 0, 0, 0, 3] + Self.record("1-1", interfaces: 2)
      + [2, 2, 1, 0, 10, 0, 0, 0] + Self.record("1-2", interfaces: 0)
      + Self.record("1-3", interfaces: 1) + [255, 0, 0, 0]
    let rest = try Self.feed(reply + [9, 9], to: &list)
    #expect(rest == [9, 9], "bytes behind the answer were taken")
    #expect(list.devices.map(\.busID) == ["1-1", "1-2", "1-3"])
    let first = try #require(list.devices.first)
    #expect(first.vendor == 0x1209 && first.product == 1 && first.speed == 2)
    #expect(first.deviceID == 0x0001_0002)
  }

  @Test func `an empty list is whole`() throws {
    var list = USBIPDeviceList()
    _ = list.takeRequest()
    #expect(try Self.feed([1, 0x11, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0], to: &list).isEmpty)
    #expect(list.devices.isEmpty)
  }

  @Test(
    arguments: [
      ([1, 0x10, 0, 5, 0, 0, 0, 0], .version(0x110)), ([1, 0x11, 0, 3, 0, 0, 0, 0], .code(3)),
      ([1, 0x11, 0, 5, 0, 0, 0, 1], .refused(1)),
      ([1, 0x11, 0, 5, 0, 0, 0, 0, 0, 0, 4, 1], .tooManyDevices(1_025)),
      ([1, 0x11, 0, 5, 0, 0, 0, 0, 255, 255, 255, 255], .tooManyDevices(.max)),
    ] as [([UInt8], USBIPReplyError)])
  func `a list of another kind is refused with the reason`(
    reply: [UInt8], error: USBIPReplyError
  ) {
    var list = USBIPDeviceList()
    _ = list.takeRequest()
    #expect(throws: error) { try Self.feed(reply, to: &list) }
  }

  @Test func `an import names the bus id in 32 bytes and reads the record without interfaces`()
    throws
  {
    var request = USBIPImport(busID: "1-2")
    let sent = request.takeRequest()
    #expect(sent.prefix(8) == [0x01, 0x11, 0x80, 0x03, 0, 0, 0, 0])
    #expect(Array(sent[8...]) == Array("1-2".utf8) + [UInt8](repeating: 0, count: 29))
    let rest = try Self.feed(
      [1, 0x11, 0, 3, 0, 0, 0, 0] + Self.record("1-2", interfaces: 2) + [7], to: &request)
    #expect(rest == [7])
    #expect(request.device?.busID == "1-2")
  }

  @Test func `an import that is refused ends behind the eight bytes`() {
    var request = USBIPImport(busID: "1-9")
    _ = request.takeRequest()
    #expect(throws: USBIPReplyError.refused(1)) {
      try Self.feed([1, 0x11, 0, 3, 0, 0, 0, 1], to: &request)
    }
    #expect(request.device == nil)
  }

  @Test func `a bus id that is too long is cut, and a zero ends it`() {
    var request = USBIPImport(busID: String(repeating: "7", count: 40))
    let sent = request.takeRequest()
    #expect(sent.count == 40 && sent[38] == 0x37 && sent[39] == 0)
  }

  @Test func `no bytes make it trap or grow, in whatever order they come`() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<400 {
      var talks: [any USBIPConversation] = [
        USBIPDeviceList(), USBIPImport(busID: "1-1"), USBIPSerialNumber(deviceID: 1),
      ]
      for index in talks.indices { Self.offend(&talks[index], &random) }
    }
  }

  private static func offend(
    _ talk: inout any USBIPConversation, _ random: inout SeededGenerator
  ) {
    for _ in 0..<8 {
      _ = talk.takeRequest()
      #expect((0...1_020).contains(talk.wanted))
      var bytes = (0..<talk.wanted).map { _ in UInt8.random(in: 0...255, using: &random) }
      // Most headers are right, so that what follows is reached.
      let isList = talk is USBIPDeviceList
      if bytes.count == 8, Bool.random(using: &random) {
        bytes = [1, 0x11, 0, isList ? 5 : 3, 0, 0, 0, 0]
      }
      if bytes.count == 4 { bytes = [0, 0, 0, UInt8.random(in: 0...5, using: &random)] }
      if Int.random(in: 0..<20, using: &random) == 0 { bytes.append(0) }
      do { try talk.take(bytes) } catch { return }
    }
  }

  /// Gives it what it wants until it wants nothing; the rest.
  static func feed(
    _ bytes: [UInt8], to talk: inout some USBIPConversation
  ) throws -> [UInt8] {
    var rest = bytes[...]
    while talk.wanted > 0 {
      try #require(rest.count >= talk.wanted)
      let count = talk.wanted
      try talk.take(Array(rest.prefix(count)))
      rest = rest.dropFirst(count)
    }
    return Array(rest)
  }

  static func record(_ busID: String, interfaces: UInt8) -> [UInt8] {
    let path = Array("/a/path".utf8)
    let name = Array(busID.utf8)
    return path + [UInt8](repeating: 0, count: 256 - path.count) + name
      + [UInt8](repeating: 0, count: 32 - name.count) + [0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 2]
      + [0x12, 0x09, 0, 1, 1, 0, 2, 0, 0, 1, 1, interfaces]
  }
}
