import Capture
import FobBase

/// Bytes of many lines in, both ways, descriptions of what they complete out.
struct FrameSplitters {
  private struct Channel: Hashable {
    let device: String
    let direction: Direction
  }

  private var cutters: [Channel: FrameSplitter] = [:]
  /// Nobody knows what the first run began with: where that is no frame, it says nothing.
  private let skipsBeginning: Bool

  /// - Parameter skipsBeginning: it is heard from the middle of a run on; what is left of that is
  ///   passed over.
  init(skipsBeginning: Bool = false) { self.skipsBeginning = skipsBeginning }

  /// The lines that were heard, by name.
  var devices: [String] { Set(cutters.keys.map(\.device)).sorted() }

  mutating func cut(
    _ bytes: [UInt8], device: String, direction: Direction, at: Instant
  ) -> [FrameDescription] {
    let way = Channel(device: device, direction: direction)
    let isFirst = cutters[way] == nil
    var runs = cutters[way, default: FrameSplitter()].cut(bytes)[...]
    if skipsBeginning, isFirst, let first = runs.first, first.bytes.first != 0,
      case .damaged = first.content
    {
      runs.removeFirst()
    }
    return runs.map { FrameDescription($0, at: at, direction: direction) }
  }

  /// What was begun on a line that has ended.
  mutating func flush(device: String, at: Instant) -> [FrameDescription] {
    [Direction.toHost, .toDevice].compactMap { direction in
      cutters[Channel(device: device, direction: direction)]?.flush().map {
        FrameDescription($0, at: at, direction: direction)
      }
    }
  }
}
