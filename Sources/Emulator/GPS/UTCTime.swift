/// The time of day that a sentence was measured at.
enum UTCTime {
  static let day: Int64 = 86_400_000_000

  /// Microseconds since midnight, nil for a sentence without a time, or with one that cannot be.
  /// - Parameter sentence: the characters between `$` and `*`.
  static func microseconds(of sentence: Span<UInt8>) -> Int64? {
    guard sentence.count > 6, sentence[5] == comma, let index = timeField(of: sentence) else {
      return nil
    }
    var at = 0
    for _ in 0..<index {
      while at < sentence.count, sentence[at] != comma { at += 1 }
      at += 1
    }
    return time(in: sentence, from: at)
  }

  private static let comma = UInt8(ascii: ",")

  /// NMEA 0183: `hhmmss.ss` is the first field of these types, the fifth of GLL.
  private static func timeField(of sentence: Span<UInt8>) -> Int? {
    let type: [UInt8] = [sentence[2], sentence[3], sentence[4]]
    switch String(decoding: type, as: UTF8.self) {
    case "GGA", "RMC", "GNS", "ZDA", "GST", "GBS": return 1
    case "GLL": return 5
    default: return nil
    }
  }

  /// Decimals beyond the microsecond are cut.
  private static func time(in sentence: Span<UInt8>, from start: Int) -> Int64? {
    var whole: Int64 = 0
    var places = 0
    var fraction: Int64 = 0
    var unit: Int64?
    for at in start..<max(start, sentence.count) {
      let character = sentence[at]
      if character == comma { break }
      if character == UInt8(ascii: "."), unit == nil {
        unit = 1_000_000
        continue
      }
      let digit = Int64(character) - Int64(UInt8(ascii: "0"))
      guard (0...9).contains(digit) else { return nil }
      if let before = unit {
        unit = max(1, before / 10)
        if before > 1 { fraction += digit * before / 10 }
      } else {
        whole = whole * 10 + digit
        places += 1
        if places > 6 { return nil }
      }
    }
    let (hour, minute, second) = (whole / 10_000, whole / 100 % 100, whole % 100)
    guard places == 6, hour < 24, minute < 60, second <= 60 else { return nil }
    return (hour * 3_600 + minute * 60 + second) * 1_000_000 + fraction
  }
}
