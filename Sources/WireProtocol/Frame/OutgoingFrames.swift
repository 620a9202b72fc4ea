import FobBase

/// Numbers the frames of one direction and makes them ready for the wire. After a quiet second a
/// lone zero goes before the next, so that whatever noise the line has gathered ends there.
struct OutgoingFrames: Sendable {
  private var sequence: UInt16 = 0
  private var lastSent: Instant?

  mutating func frame<P: Payload>(
    _ payload: P, at now: Instant, resent: Bool = false
  ) -> WireFrame {
    frame(P.type, at: now, resent: resent) { payload.write(to: &$0) }
  }

  /// For a message without fixed fields: `fill` writes what follows the type.
  mutating func frame(
    _ type: MessageType, at now: Instant, resent: Bool = false, _ fill: (inout FrameBody) -> Void
  ) -> WireFrame {
    var body = FrameBody(type: type, sequence: sequence, resent: resent)
    fill(&body)
    sequence &+= 1
    let afterSilence = lastSent.map { now - $0 >= .seconds(1) } ?? true
    lastSent = now
    return WireFrame(body, afterSilence: afterSilence)
  }
}
