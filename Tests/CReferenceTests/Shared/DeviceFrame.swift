import FobBase
import WireProtocol

/// A frame that the keychain sent.
struct DeviceFrame {
  /// When its last byte left, device clock.
  let at: Instant
  let head: FrameHead
  let rawType: UInt8
  let sequence: UInt16
  let payload: [UInt8]

  init(at: Instant, body: [UInt8]) {
    self.at = at
    head = FrameHead(rawValue: body[0])
    rawType = body[1]
    sequence = UInt16(body[2]) | UInt16(body[3]) << 8
    payload = Array(body[4...])
  }

  var type: MessageType? { MessageType(rawValue: rawType) }

  /// The payload read as `P`; nil where the frame is of another type.
  func read<P: Payload>(_ type: P.Type = P.self) -> P? {
    guard self.type == P.type else { return nil }
    return payload.withUnsafeBytes { P($0) }
  }

  var event: EventRecord? { read() }
}

extension [DeviceFrame] {
  func all<P: Payload>(_ type: P.Type = P.self) -> [P] { compactMap { $0.read(P.self) } }

  var events: [EventRecord] { all() }

  func events(_ kind: EventKind) -> [EventRecord] { events.filter { $0.identity.kind == kind } }

  /// The numbers of its events within their boot.
  var numbers: [UInt32] { events.map(\.identity.number.n) }
}
