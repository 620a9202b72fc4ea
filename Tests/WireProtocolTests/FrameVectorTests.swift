import TestSupport
import Testing
import WireProtocol

struct FrameVectorTests {
  @Test(arguments: try FrameVectors.load().frames)
  func `a body becomes its frame and the frame its body`(_ vector: FrameVector) {
    #expect(vector.bodyBytes.framed == vector.wire)
    #expect(Decoded(vector.wire).bodies == [vector.bodyBytes])
  }

  @Test(arguments: try FrameVectors.load().refused)
  func `a run that is no frame is refused`(_ vector: FrameVector) {
    let decoded = Decoded(vector.wire)
    #expect(decoded.bodies.isEmpty)
    #expect(decoded.refusals.count == 1)
  }
}

private struct StreamVectors: Decodable {
  let streams: [StreamVector]

  static func load() throws -> [StreamVector] {
    try ProtocolFolder.json("vectors/streams.json", as: StreamVectors.self).streams
  }
}

struct StreamVectorTests {
  @Test(arguments: try StreamVectors.load())
  func `a stream gives its frames, however it is cut`(_ vector: StreamVector) {
    let chunks = vector.chunks.map { [UInt8](hex: $0) }
    let decoded = Decoded(chunks)
    #expect(decoded.bodies.map(\.hex) == vector.good)
    #expect(decoded.refusals.count == vector.refused)
    var random = SeededGenerator(seed: 3)
    for most in [1, 5, 300] {
      #expect(Decoded(chunks.flatMap { $0 }.chunks(upTo: most, using: &random)) == decoded)
    }
  }
}
