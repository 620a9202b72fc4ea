import CProtocolReference
import TestSupport
import Testing

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
    #expect(Set(table.map(\.name)) == Set(Self.header.map(\.name)))
    for message in table {
      let ours = try #require(Self.header.first { $0.name == message.name })
      #expect(message.code == UInt8(ours.type), "\(message.name)")
      #expect(message.size == ours.size, "\(message.name)")
      #expect(message.tailSize == ours.tail, "\(message.name)")
    }
  }

  @Test func `HELLO in C carries the CRC-32C of the table`() throws {
    let bytes = try ProtocolFolder.bytes("messages.json")
    #expect(FOB_TABLE_HASH == fob_crc32c(bytes, bytes.count))
  }

  private static let header: [(name: String, type: Int, size: Int, tail: Int)] = [
    ("HELLO", FOB_HELLO, FOB_HELLO_SIZE, 0), ("TIME_REQ", FOB_TIME_REQ, FOB_TIME_REQ_SIZE, 0),
    ("TIME_RESP", FOB_TIME_RESP, FOB_TIME_RESP_SIZE, 0),
    ("HEARTBEAT", FOB_HEARTBEAT, FOB_HEARTBEAT_SIZE, 0),
    ("REJECT", FOB_REJECT, FOB_REJECT_SIZE, 0),
    ("EVENT", FOB_EVENT, FOB_EVENT_SIZE, FOB_EVENT_LONGEST - FOB_EVENT_SIZE),
    ("EVENT_ACK", FOB_EVENT_ACK, FOB_EVENT_ACK_SIZE, 0),
    ("INDICATE", FOB_INDICATE, FOB_INDICATE_SIZE, 0),
    ("LED_SET", FOB_LED_SET, FOB_LED_SET_SIZE, 0),
    ("LED_STATE", FOB_LED_STATE, FOB_LED_STATE_SIZE, 0),
    ("BATTERY", FOB_BATTERY, FOB_BATTERY_SIZE, 0),
    ("GPS_FIX", FOB_GPS_FIX, FOB_GPS_FIX_SIZE, 0),
    ("CONFIG", FOB_CONFIG, FOB_CONFIG_SIZE, 0),
    ("CONFIG_RESULT", FOB_CONFIG_RESULT, FOB_CONFIG_RESULT_SIZE, 0),
    ("FW_INFO", FOB_FW_INFO, 0, 0),
    ("TRACE", FOB_TRACE, FOB_TRACE_SIZE, FOB_TRACE_ENTRY_SIZE),
    ("LOG", FOB_LOG, 1, 0), ("NMEA_RAW", FOB_NMEA_RAW, 0, 0),
  ]
}
