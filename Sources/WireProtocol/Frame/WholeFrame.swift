#if !hasFeature(Embedded)
  import CProcessor
  import FobBase

  /// A frame that lies whole in what was received, decoded in one pass.
  ///
  /// Model: behind its first code, a COBS frame is the plain bytes with a code in the place of each
  /// zero. The wire is read 64 bytes at a time: the delimiter is looked up, the codes are walked
  /// from one to the next and marked by a bit each, and the words are cleared where marked, stored,
  /// and added to the CRC while they are in a register.
  ///
  /// All eight words of the 64 bytes are always read, and added to the CRC only where they belong
  /// to the frame: a branch on the length is mispredicted for every second frame, which costs more
  /// than the words.
  package enum WholeFrame {
    /// Decodes the frame at the front of `wire`.
    ///
    /// - Parameters:
    ///   - frame: 256 bytes. Those behind the length of the frame mean nothing; after nil, none
    /// does.
    ///   - byInstruction: whether the processor's instruction computes the CRC; else a table does.
    /// - Returns: the length of the frame with its CRC; nil where the frame is not all there, or is
    ///   damaged. The caller then goes byte by byte to find out which.
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

    /// Whether the processor has an instruction for CRC-32C.
    package static var hasInstruction: Bool { processor_has_crc32c() }

    /// Bytes of the wire that are read for 64 bytes of the frame: those, and the code before them.
    private static let reach = 65

    /// The CRC-32C, without the final XOR, of any bytes followed by their own CRC-32C.
    private static let residue: UInt32 = 0xB798_B438

    /// - Parameters:
    ///   - wire: `reach` bytes or more, of which the first is no zero.
    ///   - target: has room for 256 bytes.
    private static func decode(
      _ wire: UnsafeRawBufferPointer, _ target: UnsafeMutableRawPointer, byInstruction: Bool
    ) -> Int? {
      // swift-format-ignore: NeverForceUnwrap
      let source = wire.baseAddress!
      // Place in the frame of the next code, where a zero belongs, or of the delimiter.
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

    /// Marks the codes before `end`: bit n stands for byte n of the present 64 bytes.
    @inline(__always)
    private static func walk(_ code: inout Int, to end: Int, _ source: UnsafeRawPointer) -> UInt64 {
      var codes: UInt64 = 0
      while code < end {
        codes |= 1 &<< UInt64(truncatingIfNeeded: code)
        code &+= Int(source.load(fromByteOffset: code &+ 1, as: UInt8.self))
      }
      return codes
    }

    /// Copies 64 bytes, with zeros in the places of `codes`.
    /// - Returns: the CRC carried on over the full words among the first `length` bytes.
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

    /// Carries the CRC on over the first `count` bytes of a word, 0 to 7. Leading zeros leave a CRC
    /// of 0 as it is, so the bytes are moved to the end of the word.
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

  /// Finds the zeros among many bytes at once.
  enum ZeroBytes {
    /// Bit n of the result says that byte n of the 64 at `bytes` is zero.
    @inline(__always)
    static func among64(_ bytes: UnsafeRawPointer) -> UInt64 {
      UInt64(processor_equal16(bytes, 0)) | UInt64(processor_equal16(bytes + 16, 0)) &<< 16
        | UInt64(processor_equal16(bytes + 32, 0)) &<< 32
        | UInt64(processor_equal16(bytes + 48, 0)) &<< 48
    }
  }
#endif
