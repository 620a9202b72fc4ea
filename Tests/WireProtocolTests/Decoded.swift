import WireProtocol

/// What a decoder found in a stream, in order.
struct Decoded: Equatable {
  var bodies: [[UInt8]] = []
  var refusals: [FrameDecoder.Refusal] = []

  init(_ chunks: [[UInt8]]) {
    var decoder = FrameDecoder()
    for chunk in chunks { feed(chunk, to: &decoder) }
  }

  init(_ stream: [UInt8]) { self.init([stream]) }

  private mutating func feed(_ chunk: [UInt8], to decoder: inout FrameDecoder) {
    chunk.withUnsafeBytes { raw in
      var rest = raw
      while let outcome = decoder.next(&rest) {
        switch outcome {
        case .frame: bodies.append(decoder.withBody { Array($0) })
        case .refused(let refusal): refusals.append(refusal)
        }
      }
    }
  }
}
