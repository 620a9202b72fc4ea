import FobBase
import WireProtocol

/// What a tap may see of the bytes that go to a board: PAIR without its key (PROTOCOL.md, 15.2).
/// Whoever listens to the line itself has the key; captures are handed on.
struct KeyMask {
  /// The front of a frame whose type is not known yet, or a whole PAIR so far.
  private var held: [UInt8] = []
  /// The rest of a frame that is no PAIR.
  private var isPassing = false

  /// The same bytes but for the keys. The first two bytes of a frame may come with a later piece, a
  /// PAIR comes when it is whole. Of one that is damaged only the front is left.
  mutating func masked(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var passed: [UInt8] = []
    for byte in bytes {
      if byte == 0 {
        passed += Self.isPair(held) ? Self.blank(held) : held
        passed.append(0)
        held = []
        isPassing = false
      } else if isPassing {
        passed.append(byte)
      } else if held.count < Limits.maxFrameSize + 2 {
        held.append(byte)
        if held.count >= 3, !Self.isPair(held) {
          passed += held
          held = []
          isPassing = true
        }
      }
    }
    return passed
  }

  /// The code of COBS, head and type: neither of these is zero, so both stand as they are.
  private static func isPair(_ frame: [UInt8]) -> Bool {
    frame.count >= 3 && frame[2] == MessageType.pair.rawValue
  }

  private static func blank(_ frame: [UInt8]) -> [UInt8] {
    var decoder = FrameDecoder()
    return (frame + [0]).withUnsafeBytes { wire in
      var rest = wire
      while let outcome = decoder.next(&rest) {
        guard outcome == .frame else { break }
        return decoder.withBody { body in
          WireFrame(FrameBody(raw: body)).withoutKey.withBytes { Array($0.dropLast()) }
        }
      }
      return Array(frame.prefix(3))
    }
  }
}
