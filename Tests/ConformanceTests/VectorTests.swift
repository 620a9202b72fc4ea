import TestSupport
import Testing

@testable import Conformance

/// The suite carries the vectors with it: an installed `fob` has no repository beside it.
struct VectorTests {
  private struct Streams: Decodable {
    struct Stream: Decodable {
      let name: String
      let chunks: [String]
      let good: [String]
    }

    let streams: [Stream]
  }

  private struct Frames: Decodable {
    struct Refused: Decodable {
      let name: String
      let wire: String
    }

    let refused: [Refused]
  }

  @Test func `the streams are those of streams.json`() throws {
    let file = try ProtocolFolder.json("vectors/streams.json", as: Streams.self).streams
    #expect(StreamVector.all.map(\.name) == file.map(\.name))
    for (carried, stream) in zip(StreamVector.all, file) {
      #expect(carried.bytes == StreamVector.bytes(stream.chunks.joined()), "\(stream.name)")
      #expect(carried.good == stream.good.map(StreamVector.bytes), "\(stream.name)")
    }
  }

  @Test func `the refused runs are those of frames.json`() throws {
    let file = try ProtocolFolder.json("vectors/frames.json", as: Frames.self).refused
    #expect(StreamVector.refused.map(\.name) == file.map(\.name))
    for (carried, run) in zip(StreamVector.refused, file) {
      #expect(carried.bytes == StreamVector.bytes(run.wire), "\(run.name)")
    }
  }
}
