import FobBase
import WireProtocol

/// A frame that one end sent, taken apart.
struct SentFrame: Equatable {
  let head: FrameHead
  let rawType: UInt8
  let sequence: UInt16
  let payload: [UInt8]

  init(_ body: [UInt8]) {
    head = FrameHead(rawValue: body[0])
    rawType = body[1]
    sequence = UInt16(body[2]) | UInt16(body[3]) << 8
    payload = Array(body[4...])
  }

  init(_ frame: WireFrame) { self.init(Decoded(frame.bytes).bodies[0]) }

  var type: MessageType? { MessageType(rawValue: rawType) }

  /// The payload read as `P`; nil where the frame is of another type.
  func read<P: Payload>(_ type: P.Type = P.self) -> P? { self.type == P.type ? P(payload) : nil }
}

/// Writes frames that no end of the link would write.
enum RawFrame {
  static func bytes(
    head: UInt8 = 0x10, type: UInt8, sequence: UInt16 = 7, payload: [UInt8] = []
  ) -> [UInt8] {
    ([head, type, UInt8(sequence & 0xFF), UInt8(sequence >> 8)] + payload).framed
  }

  static func bytes<P: Payload>(
    _ payload: P, head: UInt8 = 0x10, sequence: UInt16 = 7, cut: Int = 0, extra: [UInt8] = []
  ) -> [UInt8] {
    bytes(
      head: head, type: P.type.rawValue, sequence: sequence,
      payload: payload.bytes.dropLast(cut) + extra)
  }
}

extension EventIdentity {
  static func sample(_ kind: EventKind = .pressed, n: UInt32 = 2) -> EventIdentity {
    EventIdentity(
      deviceID: .bench(1), number: .init(boot: 1, n: n), kind: kind, clock: 1_000_000,
      bootNonce: 0xB007_0001)
  }
}
