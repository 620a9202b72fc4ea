import Foundation
import Histogram

/// A run in every form of output: terminal, JSON, HdrHistogram log, page.
///
/// All are pure functions of the result, so they can be made while the run goes on.
public struct BenchReport: Sendable {
  /// The run to report.
  public let result: BenchResult
  /// Its figures, computed once.
  public let summary: BenchSummary
  /// The comparison with an earlier run; nil where none was asked for.
  public let comparison: Comparison?

  /// Computes the figures of `result`.
  public init(_ result: BenchResult, comparison: Comparison? = nil) {
    self.result = result
    self.comparison = comparison
    summary = BenchSummary(result)
  }

  /// Lines for a terminal, each with its newline: the table, what it means, and the comparison.
  public var table: String {
    let lines =
      BenchTable(result: result, summary: summary).lines
      + (comparison.map { [""] + $0.lines } ?? [])
    return lines.map { "\($0)\n" }.joined()
  }

  /// The file for people: HTML with everything in it, no network, no script.
  public var page: String {
    BenchPage(result: result, summary: summary, comparison: comparison).markup
  }

  /// An HdrHistogram log, version 1.3: a histogram of each stage under its name as tag, values in
  /// nanoseconds.
  public var histogramLog: String { HistogramLog(result: result).text }
}

/// A run as an HdrHistogram log, version 1.3: text that HistogramLogProcessor and its relatives
/// read.
///
/// A line is `Tag=stage,start,length,largest,histogram`: seconds from the run's begin, seconds,
/// milliseconds, and the histogram (nanoseconds) as ``HistogramEncoding`` in base64. Sums counted
/// from when the press was due have the tag `stage-corrected`; the floors `floor` and `flush`.
struct HistogramLog {
  let result: BenchResult

  var text: String {
    let samples = result.blocks.flatMap(\.samples)
    var lines = head
    func append(_ tag: String, _ distribution: Distribution) {
      if distribution.count > 0 { lines.append(line(tag, distribution)) }
      if distribution.negativeCount > 0 {
        lines.append("#[\(tag): \(distribution.negativeCount) below zero are counted as zero]")
      }
    }
    for stage in LatencyStage.single + LatencyStage.sums {
      append(
        stage.rawValue, Distribution(microseconds: samples.compactMap { $0.duration(of: stage) }))
      if let corrected = Distribution.corrected(stage, of: samples, rate: result.rate) {
        append("\(stage.rawValue)-corrected", corrected)
      }
    }
    append("floor", Distribution(tenths: result.blocks.flatMap(\.floor)))
    append("flush", Distribution(tenths: result.blocks.flatMap(\.flushes)))
    return lines.map { "\($0)\n" }.joined()
  }

  private var head: [String] {
    let seconds = FigureText.plain(Self.secondsSinceEpoch(result.began), digits: 3)
    return [
      "#[fob bench latency: \(Self.oneLine(result.device)); nanoseconds]",
      "#[Histogram log format version 1.3]",
      "#[StartTime: \(seconds) (seconds since epoch), \(Self.oneLine(result.began))]",
      "\"StartTimestamp\",\"Interval_Length\",\"Interval_Max\",\"Interval_Compressed_Histogram\"",
    ]
  }

  private func line(_ tag: String, _ distribution: Distribution) -> String {
    let length = FigureText.plain(result.duration, digits: 3)
    let largest = FigureText.plain(Double(max(0, distribution.largest)) / 1e6, digits: 3)
    let bytes = HistogramEncoding.compressed(distribution.histogram)
    return "Tag=\(tag),0.000,\(length),\(largest),\(Data(bytes).base64EncodedString())"
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline || $0 == "]" ? " " : $0 })
  }

  /// Zero for text that is no RFC 3339 time.
  private static func secondsSinceEpoch(_ text: String) -> Double {
    let formatter = ISO8601DateFormatter()
    for options: ISO8601DateFormatter.Options in [
      [.withInternetDateTime, .withFractionalSeconds], .withInternetDateTime,
    ] {
      formatter.formatOptions = options
      if let date = formatter.date(from: text) { return date.timeIntervalSince1970 }
    }
    return 0
  }
}

/// HdrHistogram's V2 encoding, as its authors publish it: a head of 40 bytes, then the counts from
/// the lowest value up as ZigZag LEB128 in at most 9 bytes each, where a negative number stands for
/// that many zeros in a row. All fixed-size numbers are big-endian.
enum HistogramEncoding {
  private static let cookie: UInt32 = 0x1C84_9303 | 0x10
  private static let compressedCookie: UInt32 = 0x1C84_9304 | 0x10

  /// The bytes that a log holds in base64: a cookie, a length, and the encoding in zlib's
  /// container.
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

/// The container of RFC 1950 with DEFLATE's stored blocks (RFC 1951, 3.2.4): every reader of zlib
/// takes it, and it needs no compressor. A histogram has a few kilobytes, as run lengths already.
enum ZlibContainer {
  private static let maxBlockSize = 65_535

  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    // Deflate with a window of 32 KiB; the second byte makes the pair a multiple of 31.
    var container: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(maxBlockSize)
      rest = rest.dropFirst(block.count)
      let length = UInt16(block.count)
      container.append(rest.isEmpty ? 1 : 0)
      container += [UInt8(length & 0xFF), UInt8(length >> 8)]
      container += [UInt8(~length & 0xFF), UInt8(~length >> 8)]
      container += block
    } while !rest.isEmpty
    let sum = adler32(bytes)
    return container + [24, 16, 8, 0].map { UInt8(sum >> $0 & 0xFF) }
  }

  static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }
}
