import FobBase

/// A frame as it goes over the wire: COBS (Cheshire and Baker 1999) of body and CRC-32C, closed by
/// a zero byte.
public struct WireFrame: Sendable {
  /// What was the body is the frame now.
  private var frame: FrameBody
  private let range: Range<Int>

  /// - Parameter afterSilence: puts a lone zero byte first, so that whatever noise the line has
  ///   gathered ends there.
  public init(_ body: consuming FrameBody, afterSilence: Bool = false) {
    frame = body
    frame.isAfterSilence = frame.isAfterSilence || afterSilence
    range = frame.close()
  }

  public var count: Int { range.count }

  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    frame.withStorage { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }
}

/// Numbers the frames of one direction and makes them ready for the wire. After a quiet second a
/// lone zero goes before the next, so that whatever noise the line has gathered ends there.
struct OutgoingFrames: Sendable {
  private var sequence: UInt16 = 0
  private var lastSent: Instant?

  mutating func frame<P: Payload>(
    _ payload: P, at now: Instant, resent: Bool = false
  ) -> WireFrame {
    var body = FrameBody()
    begin(&body, P.type, at: now, resent: resent)
    payload.write(to: &body)
    return WireFrame(body)
  }

  /// Makes `body`, which is empty, that of the next frame, of which only the payload is still to be
  /// written.
  mutating func begin(
    _ body: inout FrameBody, _ type: MessageType, at now: Instant, resent: Bool = false
  ) {
    body.begin(type, sequence: sequence, resent: resent)
    sequence &+= 1
    body.isAfterSilence = lastSent.map { now - $0 >= .seconds(1) } ?? true
    lastSent = now
  }
}
