import TestSupport
import Testing

struct FrameVector: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  private let body: String?
  private let wireHex: String

  private enum CodingKeys: String, CodingKey {
    case name, body
    case wireHex = "wire"
  }

  init(name: String, wire: String) {
    self.name = name
    body = nil
    wireHex = wire
  }

  var wire: [UInt8] { [UInt8](hex: wireHex) }
  var bodyBytes: [UInt8] { [UInt8](hex: body ?? "") }
  var testDescription: String { name }
}

struct StreamVector: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  let chunks: [String]
  let good: [String]
  let refused: Int

  var testDescription: String { name }
}

/// A whole frame of one message, by fields.
struct MessageVector: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  let type: String
  let seq: UInt16
  let fields: [String: FieldValue]?
  let tail: [[String: FieldValue]]?
  let rest: String?
  let payload: String
  let wire: String

  var testDescription: String { name }

  func value<T: FixedWidthInteger>(_ field: String, as type: T.Type = T.self) -> T {
    fields?[field]?.integer() ?? 0
  }
}

/// A field of a message in the vectors: a number, `"0x…"` for 64 bits, or a list of bytes.
enum FieldValue: Decodable, Sendable, Equatable {
  case number(Int64)
  case text(String)
  case list([Int64])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .list(try container.decode([Int64].self))
    }
  }

  func integer<T: FixedWidthInteger>() -> T {
    switch self {
    case .number(let n): T(truncatingIfNeeded: n)
    case .text(let hex): T(truncatingIfNeeded: UInt64(hex.dropFirst(2), radix: 16)!)
    case .list: preconditionFailure("a list is no number")
    }
  }

  var bytes: [UInt8] {
    guard case .list(let list) = self else { return [] }
    return list.map { UInt8($0) }
  }
}

/// `vectors/frames.json`.
struct FrameVectors: Decodable {
  let frames: [FrameVector]
  let refused: [FrameVector]
  let messages: [MessageVector]

  static func load() throws -> FrameVectors { try ProtocolFolder.json("vectors/frames.json") }

  /// Every whole frame of the file.
  var samples: [FrameVector] {
    messages.map { FrameVector(name: $0.name, wire: $0.wire) } + frames
  }
}
