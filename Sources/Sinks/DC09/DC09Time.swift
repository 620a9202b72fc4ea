import Glibc

/// The time of a message: `_HH:MM:SS,MM-DD-YYYY` in GMT (ANSI/SIA DC-09-2013, 5.5.1.9).
enum DC09Time {
  /// Bytes of its text.
  static let size = 20

  /// - Parameter wall: µs since 1970.
  static func text(_ wall: Int64) -> String {
    let time = RFC3339.broken(time_t(max(0, wall / 1_000_000)))
    let clock = [time.tm_hour, time.tm_min, time.tm_sec].map { RFC3339.padded($0) }
    let day = [time.tm_mon + 1, time.tm_mday].map { RFC3339.padded($0) }
    let year = RFC3339.padded(time.tm_year + 1_900, 4)
    return "_\(clock.joined(separator: ":")),\(day.joined(separator: "-"))-\(year)"
  }

  /// - Parameter text: with the low line in front.
  /// - Returns: µs since 1970; nil where it is no time.
  static func wall(_ text: some Collection<UInt8>) -> Int64? {
    let form = "_00:00:00,00-00-0000".utf8
    guard text.count == size else { return nil }
    var numbers: [Int32] = []
    for (byte, wanted) in zip(text, form) {
      guard wanted == UInt8(ascii: "0") else {
        guard byte == wanted else { return nil }
        numbers.append(0)
        continue
      }
      guard (0x30...0x39).contains(byte) else { return nil }
      numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int32(byte - 0x30)
    }
    guard numbers[0] < 24, numbers[1] < 60, numbers[2] <= 60, (1...12).contains(numbers[3]),
      (1...31).contains(numbers[4]), (1_970...9_000).contains(numbers[5])
    else { return nil }
    var time = tm()
    (time.tm_hour, time.tm_min, time.tm_sec) = (numbers[0], numbers[1], numbers[2])
    (time.tm_mon, time.tm_mday, time.tm_year) = (numbers[3] - 1, numbers[4], numbers[5] - 1_900)
    return Int64(timegm(&time)) * 1_000_000
  }
}
