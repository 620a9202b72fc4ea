import FobBase
import TestSupport
import Testing
import WireProtocol

/// What the table means beyond its layouts.
struct MessageTableTests {
  @Test func `a trace frame holds as many entries as fit`() {
    #expect(TraceFrame.size + TraceEntry.maxInFrame * TraceEntry.size <= Limits.maxPayloadSize)
    #expect(
      TraceFrame.size + (TraceEntry.maxInFrame + 1) * TraceEntry.size > Limits.maxPayloadSize)
  }

  @Test func `the frozen part of an event is its first 29 bytes`() throws {
    let event = try #require(try MessageTable.load().messages.first { $0.name == "EVENT" })
    let frozen = event.fields.prefix { $0.isFrozen ?? false }
    #expect(frozen.reduce(0) { $0 + $1.size } == 29)
    #expect(frozen.map(\.name) == ["device_id", "event_no", "kind", "clock", "boot_nonce"])
    #expect(EventIdentity.size == 29)
  }

  @Test func `a host can ask for every state but the last two`() {
    #expect(!ShownState.lowBattery.canBeIndicated && ShownState.identify.canBeIndicated)
  }

  @Test func `HELLO carries the hash of the wire fields, which is that of the first table`() throws
  {
    let table = try MessageTable.load()
    let crc = Array(table.wireText.utf8).withUnsafeBytes { CRC32C.of($0) }
    let known = table.tableHashes[String(crc, radix: 16)].flatMap { UInt32($0, radix: 16) }
    #expect(Hello.tableHash == known ?? crc)
    #expect(table.tableHashes.values.sorted() == ["c66a02e6"])
  }

  @Test func `words can be mended without another hash, wire fields cannot`() throws {
    let text = String(decoding: try ProtocolFolder.bytes("messages.json"), as: UTF8.self)
    let mended = text.replacing("host clock, µs", with: "the host's clock, in µs")
      .replacing(#""names": {"0": "device""#, with: #""names": {"0": "keychain""#)
    let wider = text.replacing(#""unacked", "type": "u8""#, with: #""unacked", "type": "u16""#)
    let renamed = text.replacing(#""tx_dropped""#, with: #""tx_lost""#)
    #expect(mended != text && wider != text && renamed != text)
    let wireText = try MessageTable.load().wireText
    #expect(try MessageTable(mended).wireText == wireText)
    #expect(try MessageTable(wider).wireText != wireText)
    #expect(try MessageTable(renamed).wireText != wireText)
  }
}
