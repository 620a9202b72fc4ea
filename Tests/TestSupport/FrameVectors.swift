public import Testing

public struct FrameVector: Decodable, Sendable, CustomTestStringConvertible {
  public let name: String
  private let body: String?
  private let wireHex: String

  private enum CodingKeys: String, CodingKey {
    case name, body
    case wireHex = "wire"
  }

  public init(name: String, wire: String) {
    self.name = name
    body = nil
    wireHex = wire
  }

  public var wire: [UInt8] { [UInt8](hex: wireHex) }
  public var bodyBytes: [UInt8] { [UInt8](hex: body ?? "") }
  public var testDescription: String { name }
}

public struct StreamVector: Decodable, Sendable, CustomTestStringConvertible {
  public let name: String
  public let chunks: [String]
  public let good: [String]
  public let refused: Int

  public var testDescription: String { name }
}

/// A whole frame of one message, by fields.
public struct MessageVector: Decodable, Sendable, CustomTestStringConvertible {
  public let name: String
  public let type: String
  /// What people are told of it.
  public let told: String
  public let seq: UInt16
  public let fields: [String: VectorValue]?
  public let tail: [[String: VectorValue]]?
  public let rest: String?
  public let payload: String
  public let wire: String

  public var testDescription: String { name }

  public func value<T: FixedWidthInteger>(_ field: String, as type: T.Type = T.self) -> T {
    fields?[field]?.integer() ?? 0
  }
}

/// A field of a message in the vectors: a number, `"0x…"` for 64 bits, or a list of bytes.
public enum VectorValue: Decodable, Sendable, Equatable {
  case number(Int64)
  case text(String)
  case list([Int64])

  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .list(try container.decode([Int64].self))
    }
  }

  public func integer<T: FixedWidthInteger>() -> T {
    switch self {
    case .number(let n): T(truncatingIfNeeded: n)
    case .text(let hex): T(truncatingIfNeeded: UInt64(hex.dropFirst(2), radix: 16)!)
    case .list: preconditionFailure("a list is no number")
    }
  }

  public var bytes: [UInt8] {
    guard case .list(let list) = self else { return [] }
    return list.map { UInt8($0) }
  }
}

/// `vectors/frames.json`.
public struct FrameVectors: Decodable {
  public let frames: [FrameVector]
  public let refused: [FrameVector]
  public let messages: [MessageVector]

  public static func load() throws -> FrameVectors {
    try ProtocolFolder.json("vectors/frames.json")
  }

  /// Every whole frame of the file.
  public var samples: [FrameVector] {
    messages.map { FrameVector(name: $0.name, wire: $0.wire) } + frames
  }
}

extension [UInt8] {
  /// Bytes in lower-case hex; programmer's error when it is not hex.
  public init(hex: String) {
    let digits = hex.utf8.map { UInt8(String(UnicodeScalar($0)), radix: 16)! }
    precondition(digits.count % 2 == 0)
    self = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
