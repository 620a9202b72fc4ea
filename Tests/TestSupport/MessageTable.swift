/// `firmware-protocol/messages.json`.
public struct MessageTable: Decodable, Sendable {
  public struct Field: Decodable, Sendable {
    public let name: String
    public let type: String

    /// In bytes.
    public var size: Int {
      if type.hasPrefix("u8[") { return Int(type.dropFirst(3).dropLast())! }
      return Int(type.dropFirst())! / 8
    }
  }

  public struct Tail: Decodable, Sendable { public let fields: [Field] }

  public struct Message: Decodable, Sendable {
    public let type: String
    public let name: String
    public let direction: String
    public let fields: [Field]
    public let tail: Tail?

    public var code: UInt8? { UInt8(type.dropFirst(2), radix: 16) }
    /// Of the payload without its tail, in bytes.
    public var size: Int { fields.reduce(0) { $0 + $1.size } }
    public var tailSize: Int { tail?.fields.reduce(0) { $0 + $1.size } ?? 0 }
  }

  public let messages: [Message]
  public let resetCauses: [String: String]
  public let faults: [String: String]
  public let shownStates: [String: String]

  private enum CodingKeys: String, CodingKey {
    case messages, faults
    case resetCauses = "reset_causes"
    case shownStates = "shown_states"
  }

  public static func load() throws -> MessageTable { try ProtocolFolder.json("messages.json") }
}
