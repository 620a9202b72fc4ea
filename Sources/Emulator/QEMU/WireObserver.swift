import FobBase
import WireProtocol

/// Reads the frames between a keychain and its host: the only source about a firmware whose memory
/// cannot be read. It changes nothing and sends nothing.
struct WireObserver {
  enum Fact: Equatable {
    /// The keychain has answered the HELLO of a host.
    case linked(Hello)
    /// An event, sent for the first time or again.
    case event(EventRecord)
    /// The host has committed this event.
    case acked(EventAck)
    case shown(LEDState)
    case heartbeat(Heartbeat)
    case position(PositionFix)
    /// The keychain has got a damaged frame.
    case damaged
  }

  private var fromDevice = FrameDecoder()
  private var toDevice = FrameDecoder()
  private var session: UInt32 = 0
  /// Whether the keychain has sent a frame.
  private(set) var hasSpoken = false

  mutating func sent(_ bytes: UnsafeRawBufferPointer, _ take: (Fact) -> Void) {
    var rest = bytes
    while let outcome = fromDevice.next(&rest) {
      guard outcome == .frame else { continue }
      hasSpoken = true
      if let fact = fromDevice.withBody({ said($0) }) { take(fact) }
    }
  }

  mutating func received(_ bytes: UnsafeRawBufferPointer, _ take: (Fact) -> Void) {
    var rest = bytes
    while let outcome = toDevice.next(&rest) {
      switch outcome {
      case .refused: take(.damaged)
      case .frame:
        let (hello, ack) = toDevice.withBody {
          (Self.read(Hello.self, $0), Self.read(EventAck.self, $0))
        }
        if let hello, hello.role == .host { session = hello.session }
        if let ack { take(.acked(ack)) }
      }
    }
  }

  private func said(_ body: UnsafeRawBufferPointer) -> Fact? {
    if let hello = Self.read(Hello.self, body) {
      return hello.session != 0 && hello.session == session ? .linked(hello) : nil
    }
    return Self.read(EventRecord.self, body).map { .event($0) }
      ?? Self.read(Heartbeat.self, body).map { .heartbeat($0) }
      ?? Self.read(LEDState.self, body).map { .shown($0) }
      ?? Self.read(PositionFix.self, body).map { .position($0) }
  }

  /// - Parameter body: a frame's head, type and sequence, then the payload.
  private static func read<P: Payload>(_ type: P.Type, _ body: UnsafeRawBufferPointer) -> P? {
    guard body.count >= 4 + P.size, body[1] == P.type.rawValue,
      FrameHead(rawValue: body[0]).major == FrameHead.version
    else { return nil }
    return P(UnsafeRawBufferPointer(rebasing: body[4...]))
  }
}
