import Capture
import TestSupport
import Testing
import WireProtocol

@Suite struct FrameSplitterTests {
  @Test func `a stream gives the same runs however it is cut`() {
    var random = SeededGenerator(seed: 5)
    for _ in 0..<300 {
      let stream = Self.stream(using: &random)
      var whole = FrameSplitter()
      let wanted = whole.cut(stream) + [whole.flush()].compactMap(\.self)
      var pieces = FrameSplitter()
      var found: [WireRun] = []
      var rest = stream[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...40, using: &random)
        found += pieces.cut(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      found += [pieces.flush()].compactMap(\.self)
      #expect(found == wanted)
    }
  }

  @Test func `nothing but spare zeros is lost, and frames are what a decoder finds`() {
    var random = SeededGenerator(seed: 6)
    for _ in 0..<300 {
      let stream = Self.stream(using: &random) + [0]
      var cutter = FrameSplitter()
      let runs = cutter.cut(stream) + [cutter.flush()].compactMap(\.self)
      #expect(runs.flatMap(\.bytes).filter { $0 != 0 } == stream.filter { $0 != 0 })
      #expect(runs.allSatisfy { $0.bytes.count <= FrameSplitter.maxRunSize })
      let bodies = runs.compactMap { run -> [UInt8]? in
        if case .frame(let body) = run.content { body } else { nil }
      }
      let judged = Self.decoded(stream)
      #expect(bodies == judged.bodies)
      let damaged = runs.filter {
        switch $0.content {
        case .frame, .damaged(.restOfTooLong), .damaged(.unfinished): false
        case .damaged: true
        }
      }
      #expect(damaged.count == judged.refused)
    }
  }

  @Test func `the zero before a frame goes with it`() {
    var cutter = FrameSplitter()
    let frame = Sample.wire(type: 2)
    let runs = cutter.cut([0, 0, 0] + frame + frame)
    #expect(runs.map(\.bytes) == [[0] + frame, frame])
    #expect(cutter.flush() == nil)
  }

  @Test(arguments: [
    ([0x41, 0x54, 0x0D, 0x0A, 0] as [UInt8], Damage.cut), ([1, 1, 1, 1, 1, 0], .tooShort),
    ([0x04, 0x90, 0x01, 0x02, 0x05, 0x6A, 0x58, 0x07, 0x23, 0], .wrongCRC), ([2, 9], .unfinished),
    ([UInt8](repeating: 1, count: 300) + [0], .tooLong),
  ])
  func `damage is told with its reason`(bytes: [UInt8], damage: Damage) throws {
    let described = try #require(Sample.described(wire: bytes).first)
    #expect(described.content == .damaged(damage))
    #expect(described.isCRCRight == (damage == .wrongCRC ? false : nil))
    #expect(!damage.text.isEmpty && described.typeName == nil)
  }

  @Test func `noise without an end is told in pieces, and counted once`() {
    var statistics = FrameStatistics()
    let noise = [UInt8](repeating: 7, count: 2_000) + [0]
    let descriptions = Sample.described(wire: noise)
    for description in descriptions { statistics.count(description, device: "a") }
    #expect(descriptions.count == 4)
    #expect(statistics.damaged.toHost == 1)
  }

  /// Frames, noise, runs of zeros and over-long runs.
  private static func stream(using random: inout SeededGenerator) -> [UInt8] {
    var stream: [UInt8] = []
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        stream += Sample.random(Int.random(in: 1...60, using: &random), zeros: 0.1, using: &random)
      case 1: stream += [UInt8](repeating: 0, count: Int.random(in: 1...4, using: &random))
      case 2:
        stream += Sample.random(
          Int.random(in: 256...1_500, using: &random), zeros: 0, using: &random)
      default:
        let count = Int.random(in: 0...245, using: &random)
        stream += Sample.wire(type: 2, payload: Sample.random(count, zeros: 0.3, using: &random))
      }
    }
    return stream
  }

  private static func decoded(_ stream: [UInt8]) -> (bodies: [[UInt8]], refused: Int) {
    var decoder = FrameDecoder()
    var bodies: [[UInt8]] = []
    var refused = 0
    stream.withUnsafeBytes { bytes in
      var chunk = bytes
      while let outcome = decoder.next(&chunk) {
        switch outcome {
        case .frame: bodies.append(decoder.withBody { Array($0) })
        case .refused: refused += 1
        }
      }
    }
    return (bodies, refused)
  }
}
