import Capture
import Control
import FobBase
import SerialIO

/// What went over the lines last, as it went, within a bound of bytes.
struct WireRing {
  struct Piece {
    let chunk: TapChunk
    /// Of the keychain on the line, where it was known by then.
    let keychain: String?
    /// Pieces that were lost before this one.
    let lost: Int

    /// With what holding it costs.
    var size: Int { chunk.bytes.count + 128 }
    var direction: Direction { chunk.to == .host ? .toHost : .toDevice }
    var at: Instant { Instant(microseconds: chunk.at) }
  }

  private let maxBytes: Int
  private var pieces: [Piece] = []
  private var head = 0
  private var bytes = 0

  init(maxBytes: Int = 4 << 20) { self.maxBytes = maxBytes }

  mutating func append(_ piece: Piece) {
    pieces.append(piece)
    bytes += piece.size
    while bytes > maxBytes {
      bytes -= pieces[head].size
      head += 1
    }
    // Taken out together, so that each costs little.
    if head >= 256, head * 2 >= pieces.count {
      pieces.removeFirst(head)
      head = 0
    }
  }

  /// As a pcapng file.
  /// - Parameter device: what concerns this keychain or this line alone; nil: all.
  func capture(of device: String?, application: String) -> [UInt8] {
    let kept = pieces[head...]
    // What a line brought before its keychain was known is that keychain's, too.
    let lines = Set(kept.filter { $0.keychain == device }.map(\.chunk.device))
    let wallOffset = WallClock.now() - BootClock.now().microseconds
    var cutters = FrameSplitters(skipsBeginning: true)
    var writer = PcapngWriter()
    var file = writer.begin(application: application)
    var lost = 0
    for piece in kept {
      let name = piece.chunk.device
      lost += piece.lost
      guard
        device == nil || device == name || piece.keychain == device
          || piece.keychain == nil && lines.contains(name)
      else { continue }
      for description in cutters.cut(
        piece.chunk.bytes, device: name, direction: piece.direction, at: piece.at)
      {
        file +=
          writer.append(
            CapturedPacket(description, device: name, wallOffset: wallOffset, lost: lost)) ?? []
        lost = 0
      }
    }
    return file
  }
}
