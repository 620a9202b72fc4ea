import Foundation

/// `firmware-protocol/messages.json`.
public struct MessageTable: Decodable, Sendable {
  public struct Field: Decodable, Sendable {
    public let name: String
    public let type: String
    public let bits: [String]?
    /// The same in every major version.
    public let isFrozen: Bool?

    private enum CodingKeys: String, CodingKey {
      case name, type, bits
      case isFrozen = "frozen"
    }

    /// In bytes.
    public var size: Int {
      if type.hasPrefix("u8[") { return Int(type.dropFirst(3).dropLast())! }
      return Int(type.dropFirst())! / 8
    }
  }

  public struct Tail: Decodable, Sendable {
    /// The flag with which it is there; without one it is repeated to the end.
    public let flag: String?
    public let fields: [Field]

    private enum CodingKeys: String, CodingKey {
      case flag = "if"
      case fields
    }
  }

  public struct Message: Decodable, Sendable {
    public let type: String
    public let name: String
    public let direction: String
    public let fields: [Field]
    public let tail: Tail?
    public let texts: [String]?

    public var code: UInt8? { UInt8(type.dropFirst(2), radix: 16) }
    /// Of the payload without its tail, in bytes.
    public var size: Int { fields.reduce(0) { $0 + $1.size } }
    public var tailSize: Int { tail?.fields.reduce(0) { $0 + $1.size } ?? 0 }
  }

  /// Named values, by their number in digits.
  public struct Values: Decodable, Sendable { public let names: [String: String] }

  public let messages: [Message]
  public let values: [String: Values]
  /// A hash that does not follow from the wire fields, by their CRC-32C, both in hex.
  public let tableHashes: [String: String]

  private enum CodingKeys: String, CodingKey {
    case messages, values
    case tableHashes = "table_hashes"
  }

  public static func load() throws -> MessageTable { try ProtocolFolder.json("messages.json") }

  public init(_ json: String) throws {
    self = try JSONDecoder().decode(MessageTable.self, from: Data(json.utf8))
  }

  /// What two ends must agree on, a line a message: section 5.1 of PROTOCOL.md.
  public var wireText: String { messages.map { $0.wireText + "\n" }.joined() }
}

extension MessageTable.Message {
  fileprivate var wireText: String {
    var words = [String(type.dropFirst(2)), name, direction]
    words += fields.map { "\($0.name):\($0.type)" }
    if let tail {
      let bit = fields.first { $0.name == "flags" }?.bits?.firstIndex { $0 == tail.flag }
      words.append(bit.map { "if:flags.\($0)" } ?? "each")
      words += tail.fields.map { "\($0.name):\($0.type)" }
    }
    return (words + (texts ?? []).map { "\($0):text" }).joined(separator: " ")
  }
}
