import FobBase
import Glibc
import NMEA
import SerialIO

/// A receiver's recorded bytes, cut into epochs: the sentences of one UTC time, and whatever stands
/// behind them up to the next time. Nothing is left out: comments and damage are what was heard.
struct NMEARecording {
  struct Epoch {
    var bytes: Range<Int>
    /// From this epoch to the next, or from the last to the first.
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
