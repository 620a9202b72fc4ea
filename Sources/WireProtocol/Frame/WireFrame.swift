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
