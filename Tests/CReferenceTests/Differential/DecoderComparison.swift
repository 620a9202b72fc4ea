import CProtocolReference
import WireProtocol

/// The decoder in C beside that in Swift, on the same bytes in the same chunks.
struct DecoderComparison {
  private var ours = FrameDecoder()
  private var theirs = fob_decoder()
  private(set) var frames = 0
  private(set) var refused = 0

  init() { fob_decoder_reset(&theirs) }

  /// A new line: what was begun is forgotten, the counts go on.
  mutating func reset() {
    ours.reset()
    fob_decoder_reset(&theirs)
  }

  /// Feeds one chunk to both. False at the first outcome, place or body in which they differ.
  /// - Parameter found: is handed the body of each whole frame; false is passed on.
  mutating func agree(
    on chunk: UnsafeRawBufferPointer, _ found: (UnsafeRawBufferPointer) -> Bool
  ) -> Bool {
    var rest = chunk
    var at = chunk.baseAddress?.assumingMemoryBound(to: UInt8.self)
    var left = chunk.count
    while true {
      let outcome = ours.next(&rest)
      guard Self.code(of: outcome) == fob_decoder_next(&theirs, &at, &left) else { return false }
      guard rest.count == left else { return false }
      switch outcome {
      case nil: return true
      case .refused: refused += 1
      case .frame:
        frames += 1
        guard bodiesAgree(found) else { return false }
      }
    }
  }

  private mutating func bodiesAgree(_ found: (UnsafeRawBufferPointer) -> Bool) -> Bool {
    withUnsafePointer(to: &theirs) { theirs in
      var count = 0
      let start = fob_decoder_body(theirs, &count)
      let body = UnsafeRawBufferPointer(start: start, count: count)
      return ours.withBody { $0.elementsEqual(body) } && found(body)
    }
  }

  private static func code(of outcome: FrameDecoder.Outcome?) -> fob_outcome {
    switch outcome {
    case nil: FOB_NOTHING
    case .frame: FOB_FRAME
    case .refused(.tooShort): FOB_SHORT
    case .refused(.tooLong): FOB_LONG
    case .refused(.cut): FOB_CUT
    case .refused(.wrongCRC): FOB_WRONG_CRC
    }
  }
}
