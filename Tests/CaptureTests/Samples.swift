import Capture
import FobBase
import TestSupport
import WireProtocol

extension VectorValue {
  /// A number without a sign compares with one that has it.
  func equals(_ other: FieldValue) -> Bool {
    switch (self, other) {
    case (.number(let mine), .signed(let number)): mine == number
    case (.number(let mine), .unsigned(let number)): Int64(exactly: number) == mine
    case (.text, .unsigned(let number)): integer() == number
    case (.list, .bytes(let bytes)): self.bytes == bytes
    default: false
    }
  }
}

enum Sample {
  static let noon = Instant(microseconds: 1_234_567)

  static func described(
    wire: [UInt8], direction: Direction = .toHost
  ) -> [FrameDescription] {
    var cutter = FrameSplitter()
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
