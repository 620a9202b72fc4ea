/// The digits that stand in a row in a sentence, read eight at once on a host and one by one on the
/// keychain, whose flash is short.
struct DigitRun {
  /// Of the first eight digits, or of all when there are fewer.
  let value: UInt32
  /// How many digits there are, those beyond the eighth included.
  let count: Int

  #if hasFeature(Embedded)
    init(at start: Int, in sentence: Span<UInt8>) {
      var value: UInt32 = 0
      var end = start
      while end < sentence.count {
        let digit = sentence[end] &- UInt8(ascii: "0")
        guard digit <= 9 else { break }
        if end &- start < 8 { value = value &* 10 &+ UInt32(digit) }
        end &+= 1
      }
      self.value = value
      count = end &- start
    }
  #else
    /// Up to eight bytes as one word, the first lowest, are digits, then whatever ends them: with
    /// the digits shifted to the top, three multiplications add neighbours, pairs and fours.
    @inline(__always)
    init(at start: Int, in sentence: Span<UInt8>) {
      let values = Self.word(at: start, in: sentence) ^ 0x3030_3030_3030_3030
      let above = values & 0x7F7F_7F7F_7F7F_7F7F &+ 0x7676_7676_7676_7676
      let others = (above | values) & 0x8080_8080_8080_8080
      let digits = others.trailingZeroBitCount / 8
      // A shift by 64 bits gives 0, which is what no digits are worth.
      let shifted = values << UInt64(64 - digits * 8)
      let pairs = (shifted &* 2_561) >> 8 & 0x00FF_00FF_00FF_00FF
      let fours = (pairs &* 6_553_601) >> 16 & 0x0000_FFFF_0000_FFFF
      value = UInt32(truncatingIfNeeded: (fours &* 42_949_672_960_001) >> 32)
      count = digits < 8 ? digits : Self.count(from: start, in: sentence)
    }

    private static func count(from start: Int, in sentence: Span<UInt8>) -> Int {
      var end = start
      while end < sentence.count, sentence[end] &- UInt8(ascii: "0") <= 9 { end += 1 }
      return end - start
    }

    /// Eight bytes, the first lowest, with zeros past the end of the sentence.
    @inline(__always)
    private static func word(at start: Int, in sentence: Span<UInt8>) -> UInt64 {
      let last = sentence.count &- 8
      guard last >= 0, start < sentence.count else { return shortWord(at: start, in: sentence) }
      let from = min(start, last)
      let word = sentence.withUnsafeBytes { bytes in
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: from, as: UInt64.self))
      }
      return word &>> UInt64(truncatingIfNeeded: 8 &* (start &- from))
    }

    /// Of a sentence of fewer than eight characters, or past its end.
    private static func shortWord(at start: Int, in sentence: Span<UInt8>) -> UInt64 {
      var word: UInt64 = 0
      var at = sentence.count
      while at > start {
        at -= 1
        word = word << 8 | UInt64(sentence[at])
      }
      return word
    }
  #endif

  /// The digits as decimals in units of 10^-`places` (at most 8), cut or filled up with zeros.
  func fraction(places: Int) -> UInt32 {
    let known = min(count, 8)
    return known <= places
      ? value * Self.power(places - known) : value / Self.power(known - places)
  }

  private static func power(_ exponent: Int) -> UInt32 {
    #if hasFeature(Embedded)
      var power: UInt32 = 1
      for _ in 0..<exponent { power &*= 10 }
      return power
    #else
      switch exponent {
      case 0: return 1
      case 1: return 10
      case 2: return 100
      case 3: return 1_000
      case 4: return 10_000
      case 5: return 100_000
      case 6: return 1_000_000
      case 7: return 10_000_000
      default: return 100_000_000
      }
    #endif
  }
}
