package import WireProtocol

/// A frame between a keychain and its core that a bridge without their key carries as it is: all
/// but its sequence number, which no tag covers, and its CRC (PROTOCOL.md, 15.4).
public struct RelayedFrame: Equatable, Sendable {
  /// The byte on the wire, with its bit SEALED.
  public let head: UInt8
  /// The type of the message, as the wire numbers it.
  public let rawType: UInt8
  /// Without the trailer; at most 245 bytes.
  public let payload: [UInt8]
  /// What seals the frame, 16 bytes; empty for CHALLENGE and PROOF, which are not sealed.
  public let trailer: [UInt8]

  /// Nothing is checked here: whoever takes a frame from outside checks it first.
  package init(head: UInt8, rawType: UInt8, payload: [UInt8], trailer: [UInt8]) {
    self.head = head
    self.rawType = rawType
    self.payload = payload
    self.trailer = trailer
  }

  /// - Parameter body: from the head on, without CRC; at least four bytes.
  init(body: UnsafeRawBufferPointer) {
    let isSealed = FrameHead(rawValue: body[0]).isSealed && body.count >= 4 + SealTrailer.size
    let end = body.count - (isSealed ? SealTrailer.size : 0)
    self.init(
      head: body[0], rawType: body[1], payload: Array(body[4..<end]), trailer: Array(body[end...]))
  }

  init(_ body: FrameBody) { self = body.withBytes { RelayedFrame(body: $0) } }

  /// The message; nil where this version does not know it.
  package var type: MessageType? { MessageType(rawValue: rawType) }

  /// Whether a tag stands behind the payload; whose, is not said.
  package var isSealed: Bool { !trailer.isEmpty }

  /// Reads head, type, a sequence number of 0, payload and trailer.
  func withBody<R>(_ read: (UnsafeRawBufferPointer) -> R) -> R {
    ([head, rawType, 0, 0] + payload + trailer).withUnsafeBytes(read)
  }

  /// The payload read as `P`; nil where it is too short or has a value that none may have.
  package func read<P: Payload>(_ type: P.Type) -> P? {
    payload.withUnsafeBytes { $0.count >= P.size ? P($0) : nil }
  }
}
