#if !hasFeature(Embedded)
  import CProcessor
#endif

/// Reads the characters between `$` and `*`: on a host 16 at a time, and the rest by the machine
/// word; on the keychain all by the machine word, 4 at a time.
enum Characters {
  static let longest = 120

  private static let width = UInt.bitWidth / 8
  private static let ones = UInt.max / 255
  private static let tops = ones << 7

  /// Copies the printable characters from `start` on, up to the first `$` or `*`, as far as source
  /// and room reach. It returns their number and their XOR.
  static func take(
    from bytes: Span<UInt8>, at start: Int, into storage: inout InlineArray<120, UInt8>,
    at first: Int
  ) -> (count: Int, checksum: UInt8) {
    let room = min(bytes.count &- start, longest &- first)
    var taken = 0
    var mixed: UInt = 0
    bytes.withUnsafeBytes { source in
      var target = storage.mutableSpan
      target.withUnsafeMutableBytes { target in
        #if !hasFeature(Embedded)
          // swift-format-ignore: NeverForceUnwrap
          let place = source.baseAddress! + start
          while taken &+ 16 <= room {
            let from = place + taken
            let stops = stops(among16: from)
            let low = from.loadUnaligned(as: UInt64.self)
            let high = from.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            target.storeBytes(of: low, toByteOffset: first &+ taken, as: UInt64.self)
            target.storeBytes(of: high, toByteOffset: first &+ taken &+ 8, as: UInt64.self)
            guard stops == 0 else {
              let plain = stops.trailingZeroBitCount
              mixed ^= UInt(low.littleEndian & ~(.max << UInt64(8 &* plain)))
              mixed ^= UInt(high.littleEndian & ~(.max << UInt64(8 &* max(plain &- 8, 0))))
              taken &+= plain
              return
            }
            mixed ^= UInt(low.littleEndian ^ high.littleEndian)
            taken &+= 16
          }
        #endif
        while taken + width <= room {
          let word = source.loadUnaligned(fromByteOffset: start + taken, as: UInt.self).littleEndian
          let stops = stops(in: word)
          // Whole words are stored: the characters behind the stop are overwritten or never read.
          target.storeBytes(of: word.littleEndian, toByteOffset: first + taken, as: UInt.self)
          if stops != 0 {
            let plain = stops.trailingZeroBitCount / 8
            mixed ^= word & ((1 << UInt(plain * 8)) &- 1)
            taken += plain
            break
          }
          mixed ^= word
          taken += width
        }
      }
    }
    return (taken, folded(mixed))
  }

  /// Where the first `$` from `start` on stands; the end of `bytes` where there is none.
  static func firstDollar(in bytes: Span<UInt8>, from start: Int) -> Int {
    var at = start
    while at < bytes.count, bytes[unchecked: at] != UInt8(ascii: "$") { at &+= 1 }
    return at
  }

  #if !hasFeature(Embedded)
    /// Which of 16 characters end a run: `$`, `*`, or not printable.
    private static func stops(among16 place: UnsafeRawPointer) -> UInt32 {
      processor_less16(place, 0x20) | processor_equal16(place, UInt8(ascii: "*"))
        | processor_equal16(place, UInt8(ascii: "$")) | processor_equal16(place, 0x7F)
    }
  #endif

  /// Sets the top bit of the first character that ends a run: `$`, `*`, or one that is not
  /// printable. Bits above it may be set and mean nothing, because a borrow is carried on.
  private static func stops(in word: UInt) -> UInt {
    let isControl = (word &- ones &* 0x20) & ~word
    let isDollar = zeros(in: word ^ ones &* 0x24)
    let isStar = zeros(in: word ^ ones &* 0x2A)
    let isDelete = zeros(in: word ^ ones &* 0x7F)
    return (isControl | isDollar | isStar | isDelete | word) & tops
  }

  private static func zeros(in word: UInt) -> UInt { (word &- ones) & ~word }

  private static func folded(_ word: UInt) -> UInt8 {
    var word = word
    var bits = UInt.bitWidth / 2
    while bits >= 8 {
      word ^= word >> UInt(bits)
      bits /= 2
    }
    return UInt8(truncatingIfNeeded: word)
  }
}
