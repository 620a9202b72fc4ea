import Histogram

/// HdrHistogram's V2 encoding, as its authors publish it: a head of 40 bytes, then the counts from
/// the lowest value up as ZigZag LEB128 in at most 9 bytes each, where a negative number stands for
/// that many zeros in a row. All fixed-size numbers are big-endian.
enum HistogramEncoding {
  private static let cookie: UInt32 = 0x1C84_9303 | 0x10
  private static let compressedCookie: UInt32 = 0x1C84_9304 | 0x10

  /// What a log has in base64: a cookie, a length, and the encoding in zlib's container.
  static func compressed(_ histogram: Histogram<UInt64>) -> [UInt8] {
    let packed = ZlibContainer.stored(encoded(histogram))
    return bytes(compressedCookie) + bytes(UInt32(packed.count)) + packed
  }

  static func encoded(_ histogram: Histogram<UInt64>) -> [UInt8] {
    let payload = counts(histogram)
    var head = bytes(cookie) + bytes(UInt32(payload.count))
    let normalizingIndexOffset: UInt32 = 0
    head += bytes(normalizingIndexOffset)
    head += bytes(UInt32(histogram.numberOfSignificantValueDigits.rawValue))
    head += bytes(histogram.lowestDiscernibleValue)
    head += bytes(max(histogram.highestTrackableValue, 2 * histogram.lowestDiscernibleValue))
    let conversionRatio = 1.0
    head += bytes(conversionRatio.bitPattern)
    return head + payload
  }

  private static func counts(_ histogram: Histogram<UInt64>) -> [UInt8] {
    var payload: [UInt8] = []
    var next = 0
    for recorded in histogram.recordedValues() {
      let index = index(of: recorded.value)
      if index > next { append(-Int64(index - next), to: &payload) }
      append(Int64(clamping: recorded.count), to: &payload)
      next = index + 1
    }
    return payload
  }

  /// Where a value is counted, for a lowest value of 1 and three significant digits: 2,048 values
  /// one by one, then 1,024 to each power of two.
  static func index(of value: UInt64) -> Int {
    let half = 1_024
    let power = 64 - 11 - (value | UInt64(2 * half - 1)).leadingZeroBitCount
    return power * half + Int(value >> UInt64(power))
  }

  private static func append(_ value: Int64, to payload: inout [UInt8]) {
    var rest = UInt64(bitPattern: (value << 1) ^ (value >> 63))
    for _ in 0..<8 {
      guard rest > 0x7F else { break }
      payload.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    payload.append(UInt8(rest))
  }

  private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.bigEndian) { Array($0) }
  }
}
