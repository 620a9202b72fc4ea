import FobBase
import WireProtocol

/// Any bytes through the frame decoder, then the same bytes with a good frame among them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFrames(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  let noise = Array(input.dropFirst())
  checkSplits(of: noise, seed: input.first ?? 0)

  let body = Array(noise.prefix(Limits.maxFrameSize - 4))
  if body.count >= 4 {
    let found = checkSplits(of: noise + [0] + wireBytes(of: body) + noise, seed: input[0])
    precondition(found.contains { $0.body == body }, "a good frame was lost in noise")
  }
  return 0
}

private struct Found: Equatable {
  let outcome: FrameDecoder.Outcome
  let body: [UInt8]?
}

/// The same stream whole, byte by byte and in pieces of changing length gives the same outcomes.
@discardableResult
private func checkSplits(of stream: [UInt8], seed: UInt8) -> [Found] {
  let whole = decode(stream, checkingWire: true) { $0 }
  let single = decode(stream) { _ in 1 }
  var state = UInt32(seed) + 1
  let pieces = decode(stream) { left in
    state = state &* 1_664_525 &+ 1_013_904_223
    return min(left, 1 + Int(state >> 24) % 37)
  }
  precondition(whole == single && whole == pieces, "the split changed what was found")
  return whole
}

private func decode(
  _ stream: [UInt8], checkingWire: Bool = false, piece: (Int) -> Int
) -> [Found] {
  var decoder = FrameDecoder()
  var found: [Found] = []
  stream.withUnsafeBytes { all in
    var at = 0
    while at < all.count {
      let end = at + piece(all.count - at)
      var chunk = UnsafeRawBufferPointer(rebasing: all[at..<end])
      while let outcome = decoder.next(&chunk) {
        let body = outcome == .frame ? decoder.withBody { Array($0) } : nil
        if checkingWire, let body { checkWire(of: body, in: all.prefix(end - chunk.count)) }
        found.append(Found(outcome: outcome, body: body))
      }
      precondition(chunk.isEmpty, "bytes were left in the chunk")
      at = end
    }
  }
  return found
}

/// With no code FF there is one encoding of a body: the bytes that were just read.
private func checkWire(of body: [UInt8], in read: Slice<UnsafeRawBufferPointer>) {
  let wire = wireBytes(of: body)
  precondition(read.suffix(wire.count).elementsEqual(wire), "accepted what is not its encoding")
}

private func wireBytes(of body: [UInt8]) -> [UInt8] {
  body.withUnsafeBytes { WireFrame(FrameBody(raw: $0)).withBytes { Array($0) } }
}
