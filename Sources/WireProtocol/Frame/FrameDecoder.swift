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

/// Slow path, block by block of COBS: the frame comes in pieces, or is damaged.
extension FrameDecoder {
  mutating func beginBlock(_ code: UInt8) {
    guard state != .skipping else { return }
    let length = Int(code) - 1
    let start = state == .inside ? count + 1 : 0
    guard code != 0xFF, start + length <= Limits.maxFrameSize else {
      state = .skipping
      return
    }
    if state == .inside { frame[count] = 0 }
    state = .inside
    count = start
    pending = length
  }

  mutating func copyRun(_ chunk: inout UnsafeRawBufferPointer) {
    let run = min(pending, chunk.count)
    var done = 0
    let start = count
    withUnsafeMutableBytes(of: &frame) { target in
      #if !hasFeature(Embedded)
        while run - done >= Self.wordSize {
          let word = chunk.loadUnaligned(fromByteOffset: done, as: UInt64.self)
          if Self.hasZero(word) { break }
          target.storeBytes(of: word, toByteOffset: start + done, as: UInt64.self)
          done += Self.wordSize
        }
      #endif
      while done < run && chunk[done] != 0 {
        target[start + done] = chunk[done]
        done += 1
      }
    }
    count += done
    pending -= done
    if done < run {
      state = .start
      pending = 0
      count = 0
      interrupted = true
    }
    chunk = UnsafeRawBufferPointer(rebasing: chunk.dropFirst(done))
  }

  static let wordSize = 8

  /// Mycroft's test, exact for "is any byte zero".
  static func hasZero(_ word: UInt64) -> Bool {
    (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080 != 0
  }

  mutating func endFrame() -> Outcome? {
    defer {
      state = .start
      pending = 0
      interrupted = false
    }
    if interrupted { return .refused(.cut) }
    switch state {
    case .start: return nil
    case .skipping: return .refused(.tooLong)
    case .inside: break
    }
    guard count >= Limits.minFrameSize else { return .refused(.tooShort) }
    let whole = frame.span.withUnsafeBytes { all in
      let crc = CRC32C.of(UnsafeRawBufferPointer(rebasing: all[0..<count - 4]))
      return UInt32(littleEndian: all.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
        == crc
    }
    return whole ? .frame : .refused(.wrongCRC)
  }
}
