import FobBase

/// Finds frames in a stream of bytes, however it is cut into chunks.
///
/// Model: a walk over COBS blocks. Each run of bytes is copied once, from the chunk to its place in
/// the frame, a word at a time; a zero byte anywhere ends the frame and begins the next, so damage
/// costs the frame that it hit and, where it hit a delimiter, its neighbour. The keychain, whose
/// flash is short, takes a byte at a time.
public struct FrameDecoder: Sendable {
  var frame = InlineArray<256, UInt8>(repeating: 0)
  var count = 0
  /// Bytes of the block that are still to come.
  var pending = 0
  var state = State.start
  /// A zero stood inside a block; the zero itself, still in the chunk, ends the frame.
  var interrupted = false

  enum State: UInt8 { case start, inside, skipping }

  /// How a run of bytes ended: as a frame, or as none.
  public enum Outcome: Equatable, Sendable {
    /// A whole frame; `withBody` has it until the next call.
    case frame
    case refused(Refusal)
  }

  /// Why bytes between two delimiters are no frame: fewer than 8 decoded bytes, more than 253, a
  /// delimiter inside a block, or a CRC that differs.
  public enum Refusal: UInt8, Equatable, Sendable {
    case tooShort, tooLong, cut, wrongCRC
  }

  /// Waits for the first byte of a frame.
  public init() {}

  /// Takes bytes from the front of `chunk` until a frame ends; nil when the chunk is used up.
  public mutating func next(_ chunk: inout UnsafeRawBufferPointer) -> Outcome? {
    while !chunk.isEmpty {
      if pending > 0 {
        copyRun(&chunk)
        continue
      }
      #if !hasFeature(Embedded)
        // Fast path: the frame lies whole and undamaged at the front of the chunk.
        if state == .start, !interrupted,
          let length = withUnsafeMutableBytes(of: &frame, { WholeFrame.decode(chunk, into: $0) })
        {
          count = length
          chunk = UnsafeRawBufferPointer(rebasing: chunk[(length + 2)...])
          return .frame
        }
      #endif
      let code = chunk[0]
      chunk = UnsafeRawBufferPointer(rebasing: chunk.dropFirst())
      if code == 0 {
        if let outcome = endFrame() { return outcome }
      } else {
        beginBlock(code)
      }
    }
    return nil
  }

  /// The body of the frame just found, without its CRC.
  public func withBody<R>(_ read: (UnsafeRawBufferPointer) -> R) -> R {
    frame.span.withUnsafeBytes {
      read(UnsafeRawBufferPointer(rebasing: $0[0..<max(0, count - 4)]))
    }
  }

  /// Forgets a frame that was begun, as after the line was opened anew.
  public mutating func reset() { self = FrameDecoder() }
}
