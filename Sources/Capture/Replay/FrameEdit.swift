public import FobBase
import WireProtocol

/// A frame's body whose fields are set by their names in messages.json. Nothing seals it yet.
struct FrameEdit: Sendable {
  /// Bytes of head, type and seq.
  static let headSize = 4

  private(set) var body: [UInt8]

  /// The frame without what seals it: a recorded tag is worth nothing in another session.
  init(_ body: [UInt8]) {
    let head = FrameHead(rawValue: body[0])
    let read = PayloadReading(Array(body[Self.headSize...]), head: head, direction: .toHost)
    self.body = body.prefix(Self.headSize) + read.payload
    if !read.trailer.isEmpty { self.body[0] = FrameHead(resent: head.isResent).rawValue }
  }

  /// A message of the end that is played.
  init<P: Payload>(_ payload: P) {
    body = FrameBody(payload, sequence: 0).withBytes { Array($0) }
  }

  /// All fields zero.
  init(_ type: MessageType) {
    let size = MessageLayout.of(type.rawValue)?.size ?? 0
    body = [FrameHead(resent: false).rawValue, type.rawValue, 0, 0]
    body += [UInt8](repeating: 0, count: size)
  }

  var type: UInt8 { body[1] }

  /// Does nothing where the payload is too short for it.
  mutating func set(_ name: String, _ value: UInt64) {
    guard let layout = MessageLayout.of(type) else { return }
    var at = Self.headSize
    for field in layout.fields {
      let end = at + field.kind.size
      guard end <= body.count else { return }
      if field.name == name {
        for byte in at..<end { body[byte] = UInt8(truncatingIfNeeded: value >> (8 * (byte - at))) }
        return
      }
      at = end
    }
  }

  mutating func number(_ sequence: UInt16) {
    body[2] = UInt8(truncatingIfNeeded: sequence)
    body[3] = UInt8(truncatingIfNeeded: sequence >> 8)
  }

  /// Ready for the wire, with a delimiter at both ends.
  func wire(sealedBy end: inout some PlayedEnd, at now: Instant) -> [UInt8] {
    var frame = body.withUnsafeBytes { FrameBody(raw: $0) }
    if frame.room >= SealTrailer.size { end.seal(&frame, at: now) }
    return WireFrame(frame, afterSilence: true).withBytes { Array($0) }
  }
}

/// An event's identity: the frozen bytes of its frame, and their CRC, which an ack carries.
enum EventCheck {
  /// - Parameter body: of an EVENT; nil where it is too short.
  static func identity(_ body: [UInt8]) -> [UInt8]? {
    let end = FrameEdit.headSize + EventIdentity.size
    return body.count >= end ? Array(body[FrameEdit.headSize..<end]) : nil
  }

  static func of(_ identity: [UInt8]) -> UInt64 {
    UInt64(identity.withUnsafeBytes { CRC32C.of($0) })
  }
}

/// The live part of the end that is played: it answers what is asked now, and changes the parts of
/// recorded frames that belonged to the recorded run.
protocol PlayedEnd: Sendable {
  /// Whether playing may begin.
  var isReady: Bool { get }
  /// Frames to send before the first step, once it is ready.
  mutating func begin() -> [FrameEdit]
  /// - Parameters:
  ///   - body: with what seals it.
  ///   - position: where in the capture the playing is, in microseconds.
  /// - Returns: frames to send at once in answer.
  mutating func heard(
    _ frame: DescribedFrame, body: [UInt8], position: Int64, at now: Instant
  ) -> [FrameEdit]
  /// - Returns: the frame as it is sent now; nil where `heard` answers in its place, or where it is
  ///   not sent at all.
  mutating func adapted(_ frame: DescribedFrame, body: [UInt8]) -> FrameEdit?
  /// Seals a frame that is to be sent, if that is due by a key.
  mutating func seal(_ body: inout FrameBody, at now: Instant)
  /// Until when nothing is played, since the other end is to prove itself first; nil: it need not.
  var waitsForProof: Instant? { get }
  /// Whether a sealed session was proved, at both ends.
  var isProved: Bool { get }
  /// Why the other end does not obey; nil where nothing is known of that.
  var obstacle: SealObstacle? { get }
}

/// Why a paired device does not obey the host that is played.
public enum SealObstacle: Equatable, Sendable {
  /// No key of it is there.
  case noKey(DeviceID)
  /// It does not prove the key that is there.
  case otherKey(DeviceID)
}

extension ReplayScript {
  func makeEnd(_ keys: [DeviceID: PairingKey], nonce: UInt64) -> any PlayedEnd {
    switch end {
    case .device: PlayedDevice(line, keys)
    case .host: PlayedHost(line, keys, nonce: nonce)
    }
  }
}
