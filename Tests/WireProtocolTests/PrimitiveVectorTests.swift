import FobBase
import TestSupport
import Testing
import WireProtocol

/// `vectors/primitives.json`.
private struct PrimitiveVectors: Decodable {
  let crc32c: [CRCVector]
  let cobs: [CodingVector]
  let refused: [CodingVector]

  private enum CodingKeys: String, CodingKey {
    case crc32c, cobs
    case refused = "cobs_decode_refused"
  }

  static func load() throws -> PrimitiveVectors {
    try ProtocolFolder.json("vectors/primitives.json")
  }
}

struct CRCVector: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  let hex: String
  let crc: String

  var testDescription: String { name }
}

struct CodingVector: Decodable, Sendable, CustomTestStringConvertible {
  let name: String
  let decoded: String?
  let coded: String

  var testDescription: String { name }
}

struct PrimitiveVectorTests {
  @Test(arguments: try PrimitiveVectors.load().crc32c)
  func `CRC-32C`(_ vector: CRCVector) {
    let crc = [UInt8](hex: vector.hex).withUnsafeBytes { CRC32C.of($0) }
    #expect(crc == UInt32(vector.crc, radix: 16))
  }

  /// COBS stands nowhere alone: what is decoded is seen through the decoder, which keeps back the
  /// last four bytes as a CRC and refuses it.
  @Test(arguments: try PrimitiveVectors.load().cobs)
  func `COBS decodes`(_ vector: CodingVector) {
    var decoder = FrameDecoder()
    let expected = [UInt8](hex: vector.decoded ?? "")
    ([UInt8](hex: vector.coded) + [0]).withUnsafeBytes { raw in
      var rest = raw
      let outcome = decoder.next(&rest)
      #expect(outcome == .refused(expected.count < 8 ? .tooShort : .wrongCRC))
      #expect(rest.isEmpty)
    }
    #expect(decoder.withBody { Array($0) } == Array(expected.dropLast(4)))
  }

  @Test(arguments: try PrimitiveVectors.load().refused)
  func `bytes that are not COBS give no frame`(_ vector: CodingVector) {
    let decoded = Decoded([UInt8](hex: vector.coded) + [0])
    #expect(decoded.bodies.isEmpty)
    #expect(!decoded.refusals.isEmpty)
  }
}
