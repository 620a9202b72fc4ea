import FobBase

/// A frame as it goes over the wire: COBS (Cheshire and Baker 1999) of body and CRC-32C, closed by
/// a zero byte.
public struct WireFrame: Sendable {
  /// Holds the finished frame, in the place of the body.
  private var frame: FrameBody
  private let range: Range<Int>

  /// Closes the frame of `body`. `afterSilence` puts a lone zero byte first, so that whatever noise
  /// the line has gathered ends there.
  public init(_ body: consuming FrameBody, afterSilence: Bool = false) {
    frame = body
    frame.isAfterSilence = frame.isAfterSilence || afterSilence
    range = frame.close()
  }

  /// Bytes on the wire, delimiters included.
  public var count: Int { range.count }

  /// Reads the bytes for the wire.
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

  /// Begins the next frame in `body`, which is empty; the payload is to be appended next.
  mutating func begin(
    _ body: inout FrameBody, _ type: MessageType, at now: Instant, resent: Bool = false
  ) {
    body.begin(type, sequence: sequence, resent: resent)
    sequence &+= 1
    body.isAfterSilence = lastSent.map { now - $0 >= .seconds(1) } ?? true
    lastSent = now
  }
}
