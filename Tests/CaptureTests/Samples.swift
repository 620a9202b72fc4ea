import Capture
import FobBase
import TestSupport
import WireProtocol

/// A message of `vectors/frames.json`, as far as its description is compared with it.
struct MessageVector: Decodable, Sendable {
  let name: String
  let type: String
  let told: String
  let seq: UInt16
  let fields: [String: VectorValue]?
  let tail: [[String: VectorValue]]?
  let rest: String?
  let payload: String
  let wire: String

  static func load() throws -> [MessageVector] {
    struct File: Decodable { let messages: [MessageVector] }
    return try ProtocolFolder.json("vectors/frames.json", as: File.self).messages
  }
}

enum VectorValue: Decodable, Sendable {
  case value(FieldValue)

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) {
      self = .value(number < 0 ? .signed(number) : .unsigned(UInt64(number)))
    } else if let text = try? container.decode(String.self) {
      self = .value(.unsigned(UInt64(text.dropFirst(2), radix: 16)!))
    } else {
      self = .value(.bytes(try container.decode([UInt8].self)))
    }
  }

  /// A number without a sign compares with one that has it.
  func equals(_ other: FieldValue) -> Bool {
    guard case .value(let mine) = self else { return false }
    if case .signed(let number) = other, case .unsigned(let mine) = mine {
      return number >= 0 && UInt64(number) == mine
    }
    return mine == other
  }
}

enum Sample {
  static let noon = Instant(microseconds: 1_234_567)

  static func described(
    wire: [UInt8], direction: Direction = .toHost
  ) -> [FrameDescription] {
    var cutter = FrameCutter()
    let runs = cutter.cut(wire) + [cutter.flush()].compactMap(\.self)
    return runs.map { FrameDescription($0, at: noon, direction: direction) }
  }

  /// A body of any head, type and payload, framed.
  static func wire(
    head: UInt8 = 0x10, type: UInt8, sequence: UInt16 = 7, payload: [UInt8] = []
  ) -> [UInt8] {
    let body = [head, type, UInt8(sequence & 0xFF), UInt8(sequence >> 8)] + payload
    return body.withUnsafeBytes { WireFrame(FrameBody(raw: $0)).withBytes { Array($0) } }
  }

  static func frame(
    head: UInt8 = 0x10, type: UInt8, sequence: UInt16 = 7, payload: [UInt8] = [],
    direction: Direction = .toHost
  ) -> DescribedFrame? {
    let wire = wire(head: head, type: type, sequence: sequence, payload: payload)
    guard case .frame(let frame)? = described(wire: wire, direction: direction).first?.content
    else { return nil }
    return frame
  }

  static func random(
    _ count: Int, zeros: Double, using random: inout SeededGenerator
  ) -> [UInt8] {
    (0..<count).map { _ in
      Double.random(in: 0..<1, using: &random) < zeros
        ? 0 : UInt8.random(in: 0...255, using: &random)
    }
  }
}
