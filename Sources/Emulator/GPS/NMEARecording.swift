import FobBase
import Glibc
import NMEA
import SerialIO

/// A receiver's recorded bytes, cut into epochs: the sentences of one UTC time, and all bytes
/// behind them up to the next time. Nothing is left out, not even comments and damage.
struct NMEARecording {
  struct Epoch {
    var bytes: Range<Int>
    /// The time from this epoch to the next, or from the last to the first.
    var wait: Interval
  }

  static let longest = 64 << 20
  private static let maxWait = Interval.seconds(10)

  private let bytes: [UInt8]
  let epochs: [Epoch]
  private let loops: Bool
  private var index = 0

  init(_ bytes: [UInt8], loops: Bool) {
    self.bytes = bytes
    self.loops = loops
    epochs = Self.epochs(of: bytes)
  }

  /// The next epoch and how long it lasts; nil when nothing follows.
  mutating func next() -> (bytes: ArraySlice<UInt8>, wait: Interval?) {
    guard index < epochs.count else { return ([], nil) }
    let epoch = epochs[index]
    index += 1
    if index == epochs.count && loops { index = 0 }
    return (bytes[epoch.bytes], index < epochs.count ? epoch.wait : nil)
  }

  /// Reads a whole file.
  /// - Throws: `IOFailure`; EFBIG over 64 MiB.
  static func bytes(of path: String) throws(IOFailure) -> [UInt8] {
    let file = try Syscall.open(path, O_RDONLY)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = try Syscall.run("read", path) { read(file.number, &chunk, chunk.count) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      guard bytes.count <= longest else { throw IOFailure("play", errno: EFBIG, path: path) }
    }
  }

  private static func epochs(of bytes: [UInt8]) -> [Epoch] {
    var found: [(start: Int, time: Int64?)] = []
    var reader = SentenceReader()
    var lineStart = 0
    for (at, byte) in bytes.enumerated() {
      let isSentence = reader.receive(byte)
      if isSentence, let time = reader.withSentence({ UTCTime.microseconds(of: $0) }) {
        if found.isEmpty {
          found = [(0, time)]
        } else if found[found.count - 1].time != time {
          found.append((lineStart, time))
        }
      }
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") { lineStart = at + 1 }
    }
    if found.isEmpty && !bytes.isEmpty { found = [(0, nil)] }
    return found.indices.map { i in
      let next = found[(i + 1) % found.count]
      let end = i + 1 < found.count ? next.start : bytes.count
      return Epoch(bytes: found[i].start..<end, wait: wait(from: found[i].time, to: next.time))
    }
  }

  private static func wait(from: Int64?, to: Int64?) -> Interval {
    guard let from, let to else { return .seconds(1) }
    let difference = to - from
    let wait = Interval.microseconds(difference < 0 ? difference + UTCTime.day : difference)
    return wait > .zero && wait <= maxWait ? wait : .seconds(1)
  }
}

/// The time of day that a sentence was measured at.
enum UTCTime {
  static let day: Int64 = 86_400_000_000

  /// Microseconds since midnight; nil for a sentence without a time, or with an impossible one.
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
