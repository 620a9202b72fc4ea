import FobBase

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
