import TestSupport

/// A seeded run of both decoders and both readers of payloads.
struct DifferentialRun {
  private let mutator: StreamMutator
  private var random: SeededGenerator
  private var decoders = DecoderComparison()
  /// Each chunk in an allocation of its own, so that a sanitizer sees a step beyond its end.
  private let isIsolated: Bool
  private(set) var inputs = 0
  private(set) var payloads = 0

  init(corpus: [[UInt8]], seed: UInt64, isolated: Bool = false) {
    isIsolated = isolated
    mutator = StreamMutator(corpus: corpus)
    random = SeededGenerator(seed: seed)
  }

  var frames: Int { decoders.frames }
  var refused: Int { decoders.refused }
  var summary: String {
    "\(inputs) inputs: \(frames) frames, \(refused) refused, \(payloads) payloads, no difference"
  }

  /// One damaged stream in random pieces, and one payload. Nil where both ends say the same, else
  /// what they differ about, with its bytes.
  mutating func next() -> String? {
    inputs += 1
    // A stream may begin in what the last one left open.
    if UInt8.random(in: 0..<4, using: &random) != 0 { decoders.reset() }
    let stream = mutator.stream(using: &random)
    guard agree(on: stream) else { return "stream \(stream.hex)" }
    let type = mutator.type(using: &random)
    let payload = mutator.payload(of: type, using: &random)
    payloads += 1
    guard payload.withUnsafeBytes({ PayloadComparison.agrees(type, $0) }) else {
      return "payload of type \(type): \(payload.hex)"
    }
    return nil
  }

  private mutating func agree(on stream: [UInt8]) -> Bool {
    let most = [1, 7, 64, 2_000][Int.random(in: 0..<4, using: &random)]
    return stream.withUnsafeBytes { all in
      var at = 0
      while at < all.count {
        let end = min(all.count, at + Int.random(in: 1...most, using: &random))
        let chunk = UnsafeRawBufferPointer(rebasing: all[at..<end])
        guard isIsolated ? agreeAlone(on: chunk) : agree(on: chunk) else { return false }
        at = end
      }
      return true
    }
  }

  private mutating func agreeAlone(on chunk: UnsafeRawBufferPointer) -> Bool {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk.count, alignment: 1)
    defer { copy.deallocate() }
    copy.copyMemory(from: chunk)
    return agree(on: UnsafeRawBufferPointer(copy))
  }

  private mutating func agree(on chunk: UnsafeRawBufferPointer) -> Bool {
    decoders.agree(on: chunk) { body in
      payloads += 1
      return PayloadComparison.agrees(body[1], UnsafeRawBufferPointer(rebasing: body.dropFirst(4)))
    }
  }
}

extension [UInt8] {
  var hex: String { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
}
