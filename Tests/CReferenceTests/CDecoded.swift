import CProtocolReference
import WireProtocol

/// What the decoder in C found in a stream, in order.
struct CDecoded: Equatable {
  var bodies: [[UInt8]] = []
  var refusals: [FrameDecoder.Refusal] = []
  private var decoder = fob_decoder()

  init() { fob_decoder_reset(&decoder) }

  init(_ chunks: [[UInt8]]) {
    self.init()
    for chunk in chunks { feed(chunk) }
  }

  init(_ stream: [UInt8]) { self.init([stream]) }

  mutating func feed(_ chunk: [UInt8]) {
    chunk.withUnsafeBufferPointer { bytes in
      var at = bytes.baseAddress
      var left = bytes.count
      while let refusal = next(&at, &left) { refusals.append(contentsOf: refusal) }
    }
  }

  /// Nil when the bytes are used up, else the refusal, if it was one.
  private mutating func next(
    _ at: inout UnsafePointer<UInt8>?, _ left: inout Int
  ) -> [FrameDecoder.Refusal]? {
    switch fob_decoder_next(&decoder, &at, &left) {
    case FOB_FRAME:
      bodies.append(heldBody())
      return []
    case FOB_SHORT: return [.tooShort]
    case FOB_LONG: return [.tooLong]
    case FOB_CUT: return [.cut]
    case FOB_WRONG_CRC: return [.wrongCRC]
    default: return nil
    }
  }

  /// What the decoder holds but for the last four bytes, also of a frame that it refused.
  func heldBody() -> [UInt8] {
    withUnsafePointer(to: decoder) { decoder in
      var count = 0
      let start = fob_decoder_body(decoder, &count)
      return Array(UnsafeBufferPointer(start: start, count: count))
    }
  }

  mutating func takeBodies() -> [[UInt8]] {
    defer { bodies = [] }
    return bodies
  }

  static func == (a: CDecoded, b: CDecoded) -> Bool {
    a.bodies == b.bodies && a.refusals == b.refusals
  }
}

extension [UInt8] {
  /// As the body of a frame on the wire, made by the encoder in C. At most 249 bytes.
  var framedInC: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 256) { wire, count in
      count = fob_frame_encode(self, self.count, wire.baseAddress)
    }
  }
}
