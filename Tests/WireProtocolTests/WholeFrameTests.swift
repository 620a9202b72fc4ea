import TestSupport
import Testing
import WireProtocol

/// The short way over whole frames says what the decoder says that takes a byte at a time, with the
/// processor's CRC instruction, where it has one, and with the table.
struct WholeFrameTests {
  static let ways = [true, false].filter { !$0 || WholeFrame.hasInstruction }

  @Test(arguments: ways, [0.0, 0.05, 0.3, 0.9, 1.0])
  func `a whole frame of any length is taken, whatever stands behind it`(
    _ byInstruction: Bool, _ zeros: Double
  ) {
    var random = SeededGenerator(seed: UInt64(zeros * 100) + 1)
    for length in 4...249 {
      let body = [UInt8].random(length, zeros: zeros, using: &random)
      let after = Int.random(in: 0...300, using: &random)
      let stream = body.framed + [UInt8].random(after, zeros: 0.1, using: &random)
      let found = taken(stream, byInstruction)
      // At the chunk's end a long one is left to the decoder.
      if found == nil && length >= 60 && after < 64 { continue }
      #expect(found == body)
    }
  }

  @Test(arguments: ways)
  func `a damaged frame is never taken`(_ byInstruction: Bool) {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let length = Int.random(in: 4...120, using: &random)
      var stream = [UInt8].random(length, zeros: 0.1, using: &random).framed
      let place = Int.random(in: 0..<stream.count, using: &random)
      stream[place] ^= UInt8(1) << UInt8.random(in: 0..<8, using: &random)
      stream += [UInt8].random(90, zeros: 0.1, using: &random)
      #expect(taken(stream, byInstruction) == nil)
    }
  }

  @Test(arguments: ways)
  func `what is taken of any bytes, the decoder finds first, too`(_ byInstruction: Bool) {
    var random = SeededGenerator(seed: 8)
    var frames = 0
    for _ in 0..<5_000 {
      var stream = [UInt8].random(
        Int.random(in: 4...249, using: &random), zeros: 0.2, using: &random
      ).framed
      stream.removeFirst(Int.random(in: 0..<4, using: &random) / 3)
      stream += [UInt8].random(Int.random(in: 0...80, using: &random), zeros: 0.1, using: &random)
      stream.removeLast(Int.random(in: 0..<min(stream.count, 12), using: &random))
      guard let body = taken(stream, byInstruction) else { continue }
      frames += 1
      #expect(Decoded(stream.map { [$0] }).bodies.first == body)
    }
    #expect(frames > 1_000)
  }

  private func taken(_ stream: [UInt8], _ byInstruction: Bool) -> [UInt8]? {
    withUnsafeTemporaryAllocation(byteCount: 256, alignment: 1) { frame in
      stream.withUnsafeBytes { wire in
        WholeFrame.decode(wire, into: frame, byInstruction: byInstruction)
      }.map { Array(frame[..<($0 - 4)]) }
    }
  }
}
