/// The digits that stand in a row in a sentence, read eight at once.
struct DigitRun {
  /// Of the first eight digits, or of all when there are fewer.
  let value: UInt32
  /// How many digits there are, those beyond the eighth included.
  let count: Int

  /// Up to eight bytes as one word, the first lowest, are digits, then whatever ends them: with the
  /// digits shifted to the top, three multiplications add neighbours, pairs and fours.
  init(at start: Int, in sentence: Span<UInt8>) {
    let values = Self.word(at: start, in: sentence) ^ 0x3030_3030_3030_3030
    let others =
      ((values & 0x7F7F_7F7F_7F7F_7F7F &+ 0x7676_7676_7676_7676) | values) & 0x8080_8080_8080_8080
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
  private static func word(at start: Int, in sentence: Span<UInt8>) -> UInt64 {
    if start + 8 <= sentence.count {
      return sentence.withUnsafeBytes { bytes in
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
      }
    }
    var word: UInt64 = 0
    var at = sentence.count
    while at > start {
      at -= 1
      word = word << 8 | UInt64(sentence[at])
    }
    return word
  }

  /// The digits as decimals in units of 10^-`places` (at most 8), cut or filled up with zeros.
  func fraction(places: Int) -> UInt32 {
    let known = min(count, 8)
    return known <= places
      ? value * Self.power(places - known) : value / Self.power(known - places)
  }

  private static func power(_ exponent: Int) -> UInt32 {
    switch exponent {
    case 0: 1
    case 1: 10
    case 2: 100
    case 3: 1_000
    case 4: 10_000
    case 5: 100_000
    case 6: 1_000_000
    case 7: 10_000_000
    default: 100_000_000
    }
  }
}
