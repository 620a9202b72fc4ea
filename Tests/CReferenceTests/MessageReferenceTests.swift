import CProtocolReference
import TestSupport
import Testing
import WireProtocol

/// The messages of `frames.json` through the readers and writers in C, field by field under the
/// names of the table.
struct MessageReferenceTests {
  @Test(arguments: try FrameVectors.load().messages)
  func `a message in C has the fields of the vector, and is written as it was`(
    _ vector: MessageVector
  ) throws {
    let payload = [UInt8](hex: vector.payload)
    let message = try #require(CMessage(vector.type, payload), "\(vector.type) is not read")
    #expect(message.written == payload)
    // How many entries, or bytes of text, is in no field of the table.
    for (name, value) in message.fields where name != "count" {
      let wanted: UInt64 =
        vector.fields?[name]?.integer() ?? vector.tail?.first?[name]?.integer() ?? 0
      #expect(value == wanted, "\(name)")
    }
    let missing = Set((vector.fields ?? [:]).keys).subtracting(message.fields.keys)
    #expect(missing.isSubset(of: ["firmware_version"]))
    #expect(vector.fields?["firmware_version"]?.bytes ?? [] == message.version ?? [])
  }

  @Test(arguments: try FrameVectors.load().messages)
  func `a message in C makes the frame of the vector`(_ vector: MessageVector) throws {
    let code = try #require(MessageLayout.all[vector.type]).code
    let written = try #require(CMessage(vector.type, [UInt8](hex: vector.payload))).written
    let body = [16, code, UInt8(vector.seq & 0xFF), UInt8(vector.seq >> 8)] + written
    #expect(body.framedInC.hex == vector.wire)
  }

  @Test(arguments: try FrameVectors.load().messages)
  func `in C a longer payload is read, a shorter one refused`(_ vector: MessageVector) throws {
    let payload = [UInt8](hex: vector.payload)
    let size = try #require(MessageLayout.all[vector.type]).fields.reduce(0) { $0 + $1.size }
    guard size > 0, vector.rest == nil, vector.tail == nil else { return }
    #expect(CMessage(vector.type, payload + [1, 2, 3])?.written == payload)
    for count in 0..<size { #expect(CMessage(vector.type, Array(payload.prefix(count))) == nil) }
  }

  @Test func `the table has every message, type and size of the header`() throws {
    let table = try MessageTable.load().messages
    #expect(Set(table.map(\.name)) == Set(CMessageType.all.keys))
    for message in table {
      let ours = try #require(CMessageType.all[message.name])
      #expect(message.code == ours.code, "\(message.name)")
      #expect(message.size == ours.size, "\(message.name)")
      #expect(message.tailSize == ours.tail, "\(message.name)")
    }
  }

  @Test func `HELLO in C carries the hash of the wire fields`() {
    #expect(FOB_TABLE_HASH == Hello.tableHash)
  }
}
