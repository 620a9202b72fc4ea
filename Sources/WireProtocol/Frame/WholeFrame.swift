#if !hasFeature(Embedded)
  import CProcessor
  import FobBase

  /// A frame that lies whole in what was received, decoded in one pass.
  ///
  /// Model: behind its first code a frame of COBS is the bytes themselves, with a code in the place
  /// of each zero. So the wire's bytes are taken as they are and the codes' places cleared, 64 at a
  /// time: where the delimiter is among them is looked up at once, the codes are walked from one to
  /// the next and marked, a bit each, and the words cleared where marked, stored, and counted into
  /// the CRC while they are in a register.
  ///
  /// All eight words of the 64 bytes are taken, whatever the frame's length, and counted only where
  /// they are the frame's: a branch that depends on the length is guessed wrongly for every second
  /// frame, which costs more than the words.
  package enum WholeFrame {
    /// The length of the frame, its CRC included, or nil where the first frame of `wire` is not all
    /// there, not whole or not right: then whoever goes byte by byte is to say what it is.
    ///
    /// - Parameters:
    ///   - frame: 256 bytes. Beyond the frame's length, and in all of it after nil, they mean
    ///     nothing.
    ///   - byInstruction: the processor has one for the CRC; else a table is taken.
    package static func decode(
      _ wire: UnsafeRawBufferPointer, into frame: UnsafeMutableRawBufferPointer,
      byInstruction: Bool = hasInstruction
    ) -> Int? {
      precondition(frame.count == 256)
      guard wire.count >= Limits.minFrameSize + 2, wire[0] != 0 else { return nil }
      // A buffer with bytes has an address.
      // swift-format-ignore: NeverForceUnwrap
      let target = frame.baseAddress!
      guard wire.count < reach else {
        return decode(wire, target, byInstruction: byInstruction)
      }
      return withUnsafeTemporaryAllocation(byteCount: reach, alignment: 16) { padded in
        padded.initializeMemory(as: UInt8.self, repeating: 0xFF)
        padded.copyMemory(from: wire)
        return decode(UnsafeRawBufferPointer(padded), target, byInstruction: byInstruction)
      }
    }

    package static var hasInstruction: Bool { processor_has_crc32c() }

    /// What is read of the wire for 64 bytes of the frame: those and the code before them.
    private static let reach = 65

    /// What is left, without the final XOR, of the CRC-32C of bytes and of their own CRC-32C.
    private static let residue: UInt32 = 0xB798_B438

    /// - Parameters:
    ///   - wire: `reach` bytes or more, of which the first is no zero.
    ///   - target: has room for 256 bytes.
    private static func decode(
      _ wire: UnsafeRawBufferPointer, _ target: UnsafeMutableRawPointer, byInstruction: Bool
    ) -> Int? {
      // swift-format-ignore: NeverForceUnwrap
      let source = wire.baseAddress!
      // Of the frame: where its next code stands, which is where a zero belongs, or its delimiter.
      var code = Int(source.load(as: UInt8.self)) &- 1
      var crc = UInt32.max
      var start = 0
      while start &+ reach <= wire.count, start < 256 {
        let zeros = ZeroBytes.among64(source + (start &+ 1))
        let length = zeros.trailingZeroBitCount
        let end = start &+ length
        if code < end {
          let codes = walk(&code, to: end, source)
          crc = copy(source, target, start, crc, length, byInstruction, codes)
        } else {
          crc = copy(source, target, start, crc, length, byInstruction, nil)
        }
        guard zeros != 0 else {
          start &+= 64
          continue
        }
        guard code == end, end >= Limits.minFrameSize, end <= Limits.maxFrameSize else {
          return nil
        }
        if byInstruction {
          crc = finish(crc, target + (start &+ length & ~7), length & 7)
        } else {
          crc = CRC32C.updateByTable(crc, UnsafeRawBufferPointer(start: target, count: end))
        }
        return crc == residue ? end : nil
      }
      return nil
    }

    /// Marks the places of the codes before `end`, each by its bit of the 64 of which `end` is the
    /// last or the one behind.
    @inline(__always)
    private static func walk(_ code: inout Int, to end: Int, _ source: UnsafeRawPointer) -> UInt64 {
      var codes: UInt64 = 0
      while code < end {
        codes |= 1 &<< UInt64(truncatingIfNeeded: code)
        code &+= Int(source.load(fromByteOffset: code &+ 1, as: UInt8.self))
      }
      return codes
    }

    /// Copies 64 bytes, those of `codes` as zeros, and gives the CRC of the full words among the
    /// first `length`.
    @inline(__always)
    private static func copy(
      _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ start: Int, _ before: UInt32,
      _ length: Int, _ byInstruction: Bool, _ codes: UInt64?
    ) -> UInt32 {
      var crc = before
      for index in 0..<8 {
        let place = start &+ 8 &* index
        var word = source.loadUnaligned(fromByteOffset: place &+ 1, as: UInt64.self).littleEndian
        if let codes { word &= ~bytes(of: codes &>> UInt64(truncatingIfNeeded: 8 &* index)) }
        target.storeBytes(of: word.littleEndian, toByteOffset: place, as: UInt64.self)
        if byInstruction {
          let next = processor_crc32c_word(crc, word)
          crc = 8 &* index &+ 8 <= length ? next : crc
        }
      }
      return crc
    }

    /// FF in each byte whose bit of the lowest eight of `marks` is set.
    @inline(__always)
    private static func bytes(of marks: UInt64) -> UInt64 {
      let single = (marks & 0xFF) &* 0x0101_0101_0101_0101 & 0x8040_2010_0804_0201
      let top = (single &+ 0x7F7F_7F7F_7F7F_7F7F) & 0x8080_8080_8080_8080
      return (top &>> 7) &* 0xFF
    }

    /// Carries the CRC on over the first `count` bytes of a word, 0 to 7. Zeros ahead of what is
    /// counted leave a CRC of 0 as it is, so the bytes move to the word's end.
    @inline(__always)
    private static func finish(_ crc: UInt32, _ place: UnsafeRawPointer, _ count: Int) -> UInt32 {
      let bits = UInt64(truncatingIfNeeded: 8 &* count)
      let carried = UInt64(crc)
      let word = UInt64(littleEndian: place.loadUnaligned(as: UInt64.self)) ^ carried
      // In two steps, since a shift by 64 is none.
      return processor_crc32c_word(0, (word &<< (63 &- bits)) &<< 1)
        ^ UInt32(truncatingIfNeeded: carried &>> bits)
    }
  }

  /// Where zeros stand among bytes, looked up for many at once.
  enum ZeroBytes {
    /// Of the 64 bytes at `bytes`: bit n says that byte n is zero.
    @inline(__always)
    static func among64(_ bytes: UnsafeRawPointer) -> UInt64 {
      UInt64(processor_equal16(bytes, 0)) | UInt64(processor_equal16(bytes + 16, 0)) &<< 16
        | UInt64(processor_equal16(bytes + 32, 0)) &<< 32
        | UInt64(processor_equal16(bytes + 48, 0)) &<< 48
    }
  }
#endif
