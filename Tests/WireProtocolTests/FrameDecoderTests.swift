import TestSupport
import Testing
import WireProtocol

struct FrameDecoderTests {
  private let first = [UInt8](hex: "10010200").framed
  private let second = [UInt8](hex: "1021bf00005566").framed
  private var bodies: [[UInt8]] { [[UInt8](hex: "10010200"), [UInt8](hex: "1021bf00005566")] }

  @Test(arguments: UInt64(1)...6)
  func `any chunking gives the same frames`(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var stream: [UInt8] = []
    for _ in 0..<40 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0: stream += [UInt8].random(9, zeros: 0.2, using: &random)
      case 1: stream += [UInt8](repeating: 0x55, count: Int.random(in: 200...600, using: &random))
      case 2: stream += [0, 0]
      default:
        let length = Int.random(in: 4...249, using: &random)
        stream += [UInt8].random(length, zeros: 0.1, using: &random).framed
      }
    }
    let whole = Decoded(stream)
    #expect(whole.bodies.count > 5 && !whole.refusals.isEmpty)
    for most in [1, 2, 3, 8, 64, 500] {
      #expect(Decoded(stream.chunks(upTo: most, using: &random)) == whole)
    }
  }

  @Test func `every split point of two frames gives both`() {
    let stream = first + second
    for cut in 0...stream.count {
      #expect(Decoded([Array(stream[..<cut]), Array(stream[cut...])]).bodies == bodies)
    }
  }

  @Test func `a frame cut anywhere costs itself alone when a delimiter follows`() {
    for cut in 1..<first.count - 1 {
      let decoded = Decoded(Array(first[..<cut]) + [0] + second)
      #expect(decoded.bodies == [bodies[1]])
      #expect(decoded.refusals.count == 1)
    }
  }

  @Test func `a lost delimiter costs the two frames that it parted`() {
    let decoded = Decoded(first.dropLast() + second + first)
    #expect(decoded.bodies == [bodies[0]])
    #expect(decoded.refusals.count == 1)
  }

  @Test func `a delimiter within a frame costs that frame`() {
    for place in 1..<second.count - 1 {
      let damaged = second[..<place] + [0] + second[place...]
      #expect(Decoded(Array(damaged) + first).bodies == [bodies[0]])
    }
  }

  @Test func `delimiters alone are neither frames nor damage`() {
    let decoded = Decoded([UInt8](repeating: 0, count: 700) + first + [0, 0, 0])
    #expect(decoded.bodies == [bodies[0]])
    #expect(decoded.refusals.isEmpty)
  }

  @Test func `seven bytes are too short, whatever their CRC`() {
    for count in 0..<4 {
      let short = [UInt8](repeating: 0x10, count: count).framed
      #expect(Decoded(short).refusals == [.tooShort])
    }
    #expect(Decoded([1, 1, 1, 1, 0]).refusals == [.tooShort])
  }

  @Test func `254 bytes are too long, however they are coded`() {
    #expect(Decoded([UInt8](repeating: 1, count: 255) + [0]).refusals == [.tooLong])
    #expect(Decoded([0xFF] + [UInt8](repeating: 7, count: 254) + [0]).refusals == [.tooLong])
    let twoBlocks = [0xFD] + [UInt8](repeating: 7, count: 252) + [2, 7, 0]
    #expect(Decoded(twoBlocks).refusals == [.tooLong])
  }

  @Test func `an over-long run is one refusal, and the next frame is whole`() {
    let decoded = Decoded([UInt8](repeating: 0x55, count: 3_000) + [0] + first)
    #expect(decoded.refusals == [.tooLong])
    #expect(decoded.bodies == [bodies[0]])
  }

  @Test func `text before the first frame costs one refusal`() {
    let decoded = Decoded(Array("AT\r\n".utf8) + [0] + first)
    #expect(decoded.refusals == [.cut])
    #expect(decoded.bodies == [bodies[0]])
  }

  @Test func `text spliced into a frame costs that frame`() {
    let spliced = second[..<5] + Array("log: hello\r\n".utf8) + second[5...]
    #expect(Decoded(Array(spliced) + first).bodies == [bodies[0]])
  }

  @Test func `a reset forgets the frame that was begun`() {
    var decoder = FrameDecoder()
    second.dropLast().withUnsafeBytes { raw in
      var rest = raw
      let outcome = decoder.next(&rest)
      #expect(outcome == nil)
    }
    decoder.reset()
    first.withUnsafeBytes { raw in
      var rest = raw
      let outcome = decoder.next(&rest)
      #expect(outcome == .frame)
    }
  }

  @Test func `a megabyte of random bytes holds no frame`() {
    var random = SeededGenerator(seed: 2)
    var decoder = FrameDecoder()
    var frames = 0
    var refused = 0
    for _ in 0..<16 {
      var chunk: [UInt8] = []
      chunk.reserveCapacity(65_536)
      for _ in 0..<8_192 {
        let word = random.next()
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
          chunk.append(UInt8(truncatingIfNeeded: word >> shift))
        }
      }
      chunk.withUnsafeBytes { raw in
        var rest = raw
        while let outcome = decoder.next(&rest) {
          if outcome == .frame { frames += 1 } else { refused += 1 }
        }
      }
    }
    #expect(frames == 0)
    #expect(refused > 3_000)
  }
}
