import FobBase
import WireProtocol

/// Bytes on their way to the host. Frames enter whole or not at all.
struct TransmitRing {
  private var ring = FixedRing<512, UInt8>(filler: 0)

  var isEmpty: Bool { ring.isEmpty }

  mutating func append(_ frame: WireFrame) -> Bool {
    guard frame.count <= ring.free else { return false }
    frame.withBytes { bytes in for byte in bytes { _ = ring.append(byte) } }
    return true
  }

  /// Hands to the board what it takes.
  mutating func drain<B: Board>(into board: inout B) {
    var piece = InlineArray<64, UInt8>(repeating: 0)
    while !ring.isEmpty {
      let count = min(ring.count, piece.count)
      for i in 0..<count { piece[i] = ring[i] }
      let taken = withUnsafeBytes(of: piece) {
        board.writeLink(UnsafeRawBufferPointer(rebasing: $0[0..<count]))
      }
      ring.removeFirst(taken)
      if taken < count { return }
    }
  }
}
