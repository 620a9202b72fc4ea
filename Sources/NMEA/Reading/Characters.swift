/// The characters between `$` and `*`, looked at by the machine word: 8 at once on a host, 4 on the
/// keychain.
enum Characters {
  static let longest = 120

  private static let width = UInt.bitWidth / 8
  private static let ones = UInt.max / 255
  private static let tops = ones << 7

  /// Copies the printable characters from `start` on, short of the first `$` or `*`, as far as both
  /// sides reach, and gives their number and their XOR.
  static func take(
    from bytes: Span<UInt8>, at start: Int, into storage: inout InlineArray<120, UInt8>,
    at first: Int
  ) -> (count: Int, checksum: UInt8) {
    let room = min(bytes.count - start, longest - first)
    var taken = 0
    var mixed: UInt = 0
    bytes.withUnsafeBytes { source in
      var target = storage.mutableSpan
      target.withUnsafeMutableBytes { target in
        while taken + width <= room {
          let word = source.loadUnaligned(fromByteOffset: start + taken, as: UInt.self).littleEndian
          let stops = stops(in: word)
          // Whole words are stored: what lies behind the stop is written over or never read.
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
    while at < bytes.count, bytes[at] != UInt8(ascii: "$") { at += 1 }
    return at
  }

  /// The top bit of the first character that ends a run: `$`, `*`, or not printable. Above that
  /// first one bits may be set that mean nothing, since a borrow went on.
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
