import TestSupport
import Testing

/// A case of `vectors/session.json` or `vectors/reliability.json`; the grammar stands in
/// `vectors/README.md`.
struct Scenario: Decodable, Sendable, CustomTestStringConvertible {
  enum End: String, Decodable { case device, host }

  let name: String
  let end: End
  let watch: [String]
  let steps: [ScenarioStep]

  var testDescription: String { name }

  static func load(_ file: String, _ end: End) throws -> [Scenario] {
    struct File: Decodable { let cases: [Scenario] }
    return try ProtocolFolder.json("vectors/\(file).json", as: File.self).cases
      .filter { $0.end == end }
  }
}

struct ScenarioStep: Decodable, Sendable {
  let at: Int64
  let action: String?
  let cause: UInt8?
  let nonce: UInt32?
  let store: String?
  let count: Int?
  let every: Int64?
  let hold: Int64?
  let percent: UInt8?
  let state: String?
  let frame: [String: JSONValue]?
  let sends: Expected?
  let has: Expected?
  let distinct: Distinct?
  let most: Int?
  let delivers: [[String: JSONValue]]?

  private enum CodingKeys: String, CodingKey {
    case at, cause, nonce, store, count, every, hold, percent, state, frame
    case sends, has, distinct, most, delivers
    case action = "do"
  }

  /// Frames to be found, or `"any"`.
  struct Expected: Decodable, Sendable {
    let frames: [[String: JSONValue]]?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      frames = try? container.decode([[String: JSONValue]].self)
      if frames == nil { try checkAny(container) }
    }
  }

  /// Runs of event numbers, each first, last and step, or `"any"`.
  struct Distinct: Decodable, Sendable {
    let numbers: Set<UInt64>?

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      guard let runs = try? container.decode([[JSONValue]].self) else {
        try checkAny(container)
        numbers = nil
        return
      }
      numbers = Set(
        runs.flatMap { run in
          stride(from: run[0].integer!, through: run[1].integer!, by: Int(run[2].integer!))
        })
    }
  }
}

private func checkAny(_ container: any SingleValueDecodingContainer) throws {
  guard try container.decode(String.self) == "any" else {
    throw DecodingError.dataCorruptedError(
      in: container, debugDescription: "neither a list nor any")
  }
}

/// A value of the vectors. Numbers of 64 bits are written `"0x…"`.
enum JSONValue: Decodable, Sendable, Equatable {
  case number(Int64)
  case flag(Bool)
  case text(String)
  case list([JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Int64.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else {
      self = .list(try container.decode([JSONValue].self))
    }
  }

  /// The bits of a number; nil for everything else.
  var integer: UInt64? {
    switch self {
    case .number(let n): UInt64(bitPattern: n)
    case .text(let text) where text.hasPrefix("0x"): UInt64(text.dropFirst(2), radix: 16)
    default: nil
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
}
