import TestSupport
import Testing
import WireProtocol

/// Damages sample frames in place and counts what the decoder takes for a frame all the same.
struct BitErrorTests {
  static let soak = Soak.isOn
  /// In a normal run, pairs of errors of a frame whose pairs are more than these are sampled.
  static let maxPairs = soak ? Int.max : 12_000

  static let samples: [FrameVector] = (try? FrameVectors.load().samples) ?? []

  @Test func `there are sample frames`() { #expect(Self.samples.count > 20) }

  @Test(arguments: samples)
  func `no error of one or two bits is taken for a frame`(_ sample: FrameVector) {
    var line = DamagedLine(sample.wire)
    var tried = 0
    for bit in 0..<line.bits {
      line.check(bit, bit)
      tried += 1
    }
    let pairs = line.bits * (line.bits - 1) / 2
    if pairs <= Self.maxPairs {
      for a in 0..<line.bits { for b in 0..<a { line.check(a, b) } }
      tried += pairs
    } else {
      var random = SeededGenerator(seed: UInt64(line.bits))
      for _ in 0..<Self.maxPairs {
        let a = Int.random(in: 1..<line.bits, using: &random)
        line.check(a, Int.random(in: 0..<a, using: &random))
      }
      tried += Self.maxPairs
    }
    print("\(sample.name): \(tried) errors, \(line.wrong) wrongly accepted")
    #expect(line.wrong == 0)
  }
}

/// A frame with a delimiter behind it, so that a damaged one ends all the same.
private struct DamagedLine {
  private var bytes: [UInt8]
  private let body: [UInt8]
  private(set) var wrong = 0

  init(_ wire: [UInt8]) {
    bytes = wire + [0]
    body = Decoded(wire).bodies[0]
  }

  var bits: Int { (bytes.count - 1) * 8 }

  /// Turns one bit, or two where they differ, and turns them back.
  mutating func check(_ a: Int, _ b: Int) {
    turn(a)
    if a != b { turn(b) }
    var decoder = FrameDecoder()
    bytes.withUnsafeBytes { raw in
      var rest = raw
      while let outcome = decoder.next(&rest) {
        guard outcome == .frame else { continue }
        if decoder.withBody({ !$0.elementsEqual(body) }) { wrong += 1 }
      }
    }
    turn(a)
    if a != b { turn(b) }
  }

  private mutating func turn(_ bit: Int) { bytes[bit / 8] ^= 1 << UInt8(bit % 8) }
}
