import FobBase
import WireProtocol

/// Bytes on their way to the host. Frames enter whole or not at all.
struct TransmitRing {
  private var ring = FixedRing<512, UInt8>(filler: 0)

  var isEmpty: Bool { ring.isEmpty }

  /// Takes the frame of `body`, which is gone then.
  @inline(never)
  mutating func append(_ body: inout FrameBody) -> Bool {
    body.withWireBytes { ring.append($0) }
  }

  /// Hands to the board what it takes.
  mutating func drain<B: Board>(into board: inout B) {
    while !ring.isEmpty {
      let (offered, taken) = ring.withFront { ($0.count, board.writeLink($0)) }
      ring.removeFirst(taken)
      if taken < offered { return }
    }
  }
}
