import Capture
import FobBase
import TestSupport
import Testing

extension MessageTable.Field {
  fileprivate var kind: FieldKind? {
    switch type {
    case "u8": .u8
    case "u16": .u16
    case "u32": .u32
    case "u64": .u64
    case "i32": .i32
    case "u8[3]": .bytes(3)
    default: nil
    }
  }
}

extension MessageTable.Message {
  /// A payload that has every field, and bit 2 of `flags` for EVENT's tail.
  fileprivate var whole: [UInt8] {
    var payload = [UInt8](repeating: 0, count: size + tailSize)
    if let flags = fields.prefix(while: { $0.name != "flags" }).last, tail != nil,
      flags.name == "commit_delta"
    {
      payload[33] = 4
    }
    return payload
  }
}

@Suite struct MessageTableTests {
  @Test func `every message and every field of the table appears by its name, kind and order`()
    throws
  {
    for message in try MessageTable.load().messages {
      let code = try #require(message.code)
      let frame = try #require(Sample.frame(type: code, payload: message.whole))
      #expect(frame.name == message.name)
      let wanted = message.fields + (message.tail?.fields ?? [])
      let fields = frame.fields.filter { $0.kind != .rest }
      #expect(fields.map(\.name) == wanted.map(\.name), "\(message.name)")
      #expect(fields.map(\.kind) == wanted.map(\.kind), "\(message.name)")
      #expect(frame.remark == nil && frame.unread.isEmpty, "\(message.name)")
    }
  }

  @Test func `no message is described that the table does not have`() throws {
    #expect(MessageNames.all == (try MessageTable.load().messages.map(\.name)))
  }

  @Test func `every value of the vectors is the value of its field`() throws {
    var seen: Set<String> = []
    for vector in try MessageVector.load() {
      seen.insert(vector.type)
      let direction: Direction = vector.name.contains("question") ? .toDevice : .toHost
      let wire = try #require(Hex.bytes(vector.wire))
      let described = try #require(Sample.described(wire: wire, direction: direction).first)
      #expect(described.isCRCRight == true)
      guard case .frame(let frame) = described.content else {
        Issue.record("\(vector.name) is no frame")
        continue
      }
      #expect(frame.name == vector.type)
      #expect(frame.sequence == vector.seq)
      #expect(frame.remark == nil)
      for field in frame.fields where field.entry == nil && field.kind != .rest {
        let wanted = vector.fields?[field.name] ?? .value(.unsigned(0))
        #expect(wanted.equals(field.value), "\(vector.name): \(field.name)")
      }
      for name in vector.fields?.keys.sorted() ?? [] {
        #expect(frame.fields.contains { $0.name == name }, "\(vector.name): \(name)")
      }
      expectTail(vector, frame)
      if let rest = vector.rest {
        let shown = frame.fields.filter { $0.kind == .rest }.map(\.value)
        let parts = rest == "" ? [] : try #require(Hex.bytes(rest)).split(separator: 0)
        let wanted = vector.type == "FW_INFO" ? parts.map(Array.init) : [parts.flatMap(\.self)]
        #expect(shown == wanted.map { .bytes($0) }, "\(vector.name)")
      }
    }
    #expect(seen == Set(MessageNames.all))
  }

  private func expectTail(_ vector: MessageVector, _ frame: DescribedFrame) {
    for (number, entry) in (vector.tail ?? []).enumerated() {
      let fields = frame.fields.filter { $0.entry == number }
      #expect(Set(fields.map(\.name)) == Set(entry.keys), "\(vector.name)")
      for field in fields {
        #expect(entry[field.name]?.equals(field.value) == true, "\(vector.name): \(field.name)")
      }
    }
    #expect(frame.fields.compactMap(\.entry).max().map { $0 + 1 } == vector.tail?.count)
  }

  @Test func `values that have names in the table are shown by them`() throws {
    let table = try MessageTable.load()
    for (code, name) in table.resetCauses {
      var payload = [UInt8](repeating: 0, count: 45)
      payload[3] = UInt8(code)!
      #expect(Sample.frame(type: 1, payload: payload)?.text(of: "reset_cause") == name)
    }
    for (code, name) in table.shownStates {
      var payload = [UInt8](repeating: 0, count: 19)
      payload[8] = UInt8(code)!
      #expect(Sample.frame(type: 0x22, payload: payload)?.text(of: "shown_state") == name)
    }
    for (code, name) in table.faults {
      var payload = [UInt8](repeating: 0, count: 54)
      payload[16] = 7
      payload[34] = UInt8(code)!
      #expect(Sample.frame(type: 0x10, payload: payload)?.text(of: "detail") == name)
    }
  }

  @Test func `a payload cut short is refused with the number, and never trapped on`() throws {
    for message in try MessageTable.load().messages where message.size > 0 {
      for count in 0..<message.size {
        let payload = [UInt8](repeating: 0xFF, count: count)
        let code = try #require(message.code)
        let frame = try #require(Sample.frame(type: code, payload: payload))
        #expect(
          frame.remark
            == "refused: \(message.name) has \(message.size) bytes of payload, here are \(count)")
        let isFrozen = message.name == "EVENT" && count >= 29
        #expect(frame.fields.map(\.name) == (isFrozen ? Self.frozen : []))
      }
    }
  }

  private static let frozen = ["device_id", "event_no", "kind", "clock", "boot_nonce"]

  @Test func `a longer payload is read, and what is not known is said`() throws {
    for message in try MessageTable.load().messages where message.size > 0 && message.name != "LOG"
    {
      for more in [1, 3] {
        let payload = message.whole + [UInt8](repeating: 0xEE, count: more)
        let code = try #require(message.code)
        let frame = try #require(Sample.frame(type: code, payload: payload))
        let noun = more == 1 ? "byte" : "bytes"
        #expect(frame.remark == "+ \(more) \(noun) not known to this version", "\(message.name)")
        #expect(frame.unread.count == more)
      }
    }
  }
}
