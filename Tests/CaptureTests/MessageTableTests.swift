import Capture
import FobBase
import TestSupport
import Testing

extension MessageTable.Message {
  /// A payload that has every field, and the flag with which a tail is there.
  fileprivate var whole: [UInt8] {
    var payload = [UInt8](repeating: 0, count: size + tailSize)
    let at = fields.prefix { $0.name != "flags" }.reduce(0) { $0 + $1.size }
    if let flag = tail?.flag,
      let bit = fields.first(where: { $0.name == "flags" })?.bits?
        .firstIndex(of: flag)
    {
      payload[at] = 1 << bit
    }
    return payload
  }
}

@Suite struct MessageTableTests {
  @Test func `every value of the vectors is the value of its field`() throws {
    var seen: Set<String> = []
    for vector in try FrameVectors.load().messages {
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
      #expect(frame.summary == vector.told, "\(vector.name)")
      for field in frame.fields where field.entry == nil && field.kind != .rest {
        // A key is shown to nobody.
        let isSecret = field.name.hasPrefix("key_")
        let wanted = isSecret ? .number(0) : vector.fields?[field.name] ?? .number(0)
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
    for (code, name) in try #require(table.values["reset_causes"]).names {
      var payload = [UInt8](repeating: 0, count: 45)
      payload[3] = UInt8(code)!
      #expect(Sample.frame(type: 1, payload: payload)?.text(of: "reset_cause") == name)
    }
    for (code, name) in try #require(table.values["shown_states"]).names {
      var payload = [UInt8](repeating: 0, count: 19)
      payload[8] = UInt8(code)!
      #expect(Sample.frame(type: 0x22, payload: payload)?.text(of: "shown_state") == name)
    }
    for (code, name) in try #require(table.values["faults"]).names {
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
