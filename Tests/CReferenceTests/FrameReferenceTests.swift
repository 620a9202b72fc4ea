import CProtocolReference
import TestSupport
import Testing
import WireProtocol

private struct PrimitiveVectors: Decodable {
  let crc32c: [CRCVector]
  let cobs: [CodingVector]
  let decodeRefused: [CodingVector]
  let encodeRefused: [CodingVector]

  private enum CodingKeys: String, CodingKey {
    case crc32c, cobs
    case decodeRefused = "cobs_decode_refused"
    case encodeRefused = "cobs_encode_refused"
  }

  static func load() throws -> PrimitiveVectors {
    try ProtocolFolder.json("vectors/primitives.json")
  }
}

struct CRCVector: Decodable, Sendable {
  let name: String
  let hex: String
  let crc: String
}

struct CodingVector: Decodable, Sendable {
  let name: String
  let decoded: String?
  let coded: String?
}

/// `primitives.json`, `frames.json` and `streams.json` through the reference in C.
struct FrameReferenceTests {
  @Test(arguments: try PrimitiveVectors.load().crc32c)
  func `CRC-32C in C`(_ vector: CRCVector) {
    let bytes = [UInt8](hex: vector.hex)
    #expect(fob_crc32c(bytes, bytes.count) == UInt32(vector.crc, radix: 16))
  }

  @Test(arguments: try PrimitiveVectors.load().cobs)
  func `COBS in C, both ways`(_ vector: CodingVector) {
    let decoded = [UInt8](hex: vector.decoded!)
    let coded = [UInt8](hex: vector.coded!)
    #expect(Self.coded(decoded) == coded)
    // Decoding keeps back the last four bytes as a CRC, and refuses it.
    let found = CDecoded(coded + [0])
    #expect(found.refusals == [decoded.count < 8 ? .tooShort : .wrongCRC])
    #expect(found.heldBody() == Array(decoded.dropLast(4)))
  }

  @Test(arguments: try PrimitiveVectors.load().decodeRefused)
  func `bytes that are not COBS give no frame in C`(_ vector: CodingVector) {
    let found = CDecoded([UInt8](hex: vector.coded!) + [0])
    #expect(found.bodies.isEmpty)
    #expect(!found.refusals.isEmpty)
  }

  @Test(arguments: try PrimitiveVectors.load().encodeRefused)
  func `what is too long is not encoded in C`(_ vector: CodingVector) {
    #expect(Self.coded([UInt8](hex: vector.decoded!)) == [])
  }

  @Test(arguments: try FrameVectors.load().frames)
  func `a body becomes its frame in C and the frame its body`(_ vector: FrameVector) {
    #expect(vector.bodyBytes.framedInC == vector.wire)
    #expect(CDecoded(vector.wire).bodies == [vector.bodyBytes])
  }

  @Test(arguments: try FrameVectors.load().refused)
  func `a run that is no frame is refused once in C`(_ vector: FrameVector) {
    let found = CDecoded(vector.wire)
    #expect(found.bodies.isEmpty)
    #expect(found.refusals.count == 1)
  }

  @Test(arguments: try StreamVectors.load())
  func `a stream gives its frames in C, however it is cut`(_ vector: StreamVector) {
    let chunks = vector.chunks.map { [UInt8](hex: $0) }
    let whole = CDecoded(chunks)
    #expect(whole.bodies.map(\.hex) == vector.good)
    #expect(whole.refusals.count == vector.refused)
    #expect(CDecoded(chunks.flatMap { $0 }.map { [$0] }) == whole)
    #expect(CDecoded(chunks.flatMap { $0 }) == whole)
  }

  @Test func `a body of 250 bytes is refused in C`() {
    #expect([UInt8](repeating: 1, count: 249).framedInC.count == 255)
    #expect([UInt8](repeating: 1, count: 250).framedInC == [])
  }

  private static func coded(_ decoded: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: decoded.count + 1) { coded, count in
      count = fob_cobs_encode(decoded, decoded.count, coded.baseAddress)
    }
  }
}

private struct StreamVectors: Decodable {
  let streams: [StreamVector]

  static func load() throws -> [StreamVector] {
    try ProtocolFolder.json("vectors/streams.json", as: StreamVectors.self).streams
  }
}
