import FobBase
import TestSupport
import WireProtocol

/// The fields of one message, as `messages.json` has them.
struct MessageLayout: Decodable, Sendable {
  struct Field: Decodable, Sendable {
    let name: String
    let type: String

    var size: Int {
      if type.hasPrefix("u8[") { return Int(type.dropFirst(3).dropLast())! }
      return Int(type.dropFirst())! / 8
    }
  }
  struct Tail: Decodable, Sendable { let fields: [Field] }

  let type: String
  let name: String
  let fields: [Field]
  let tail: Tail?

  var code: UInt8 { UInt8(type.dropFirst(2), radix: 16)! }

  /// The layouts of all messages, by name.
  static let all: [String: MessageLayout] = {
    struct Table: Decodable { let messages: [MessageLayout] }
    let table = try? ProtocolFolder.json("messages.json", as: Table.self)
    return Dictionary(uniqueKeysWithValues: (table?.messages ?? []).map { ($0.name, $0) })
  }()

  static func name(of code: UInt8) -> String {
    all.values.first { $0.code == code }?.name ?? "0x\(String(code, radix: 16))"
  }

  /// A payload from values by name; what is left out is 0.
  func payload(_ value: (String) -> UInt64?) -> [UInt8] {
    fields.flatMap { field in
      let bits = value(field.name) ?? 0
      return (0..<field.size).map { $0 < 8 ? UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) : 0 }
    }
  }

  /// The bits of each field that `payload` is long enough to hold, an EVENT's tail included.
  func values(_ payload: [UInt8]) -> [String: UInt64] {
    var values: [String: UInt64] = [:]
    var at = 0
    for field in fields + (name == "EVENT" ? tail?.fields ?? [] : []) {
      guard at + field.size <= payload.count else { break }
      var bits: UInt64 = 0
      for byte in payload[at..<at + field.size].reversed() { bits = bits << 8 | UInt64(byte) }
      if field.size <= 8 { values[field.name] = bits }
      at += field.size
    }
    return values
  }
}

/// A frame as a scenario speaks of it.
struct ScenarioFrame: CustomStringConvertible {
  let name: String
  let head: UInt8
  let values: [String: UInt64]
  let payload: [UInt8]

  init(body: [UInt8]) {
    head = body[0]
    name = MessageLayout.name(of: body[1])
    payload = Array(body[4...])
    values = MessageLayout.all[name]?.values(payload) ?? [:]
  }

  var description: String {
    let fields = values.sorted { $0.key < $1.key }.map {
      "\($0.key) \(String($0.value, radix: 16))"
    }
    return "\(name)(\(fields.joined(separator: ", ")))"
  }

  /// The CRC of the frozen part, where this is an EVENT that has one.
  var identityCRC: UInt32? {
    guard name == "EVENT", payload.count >= EventIdentity.size else { return nil }
    return payload[..<EventIdentity.size].withUnsafeBytes { CRC32C.of($0) }
  }
}
