import FobBase

/// A frame as it goes over the wire: COBS (Cheshire and Baker 1999) of body and CRC-32C, closed by
/// a zero byte.
public struct WireFrame: Sendable {
  private var bytes = InlineArray<256, UInt8>(repeating: 0)
  public private(set) var count = 0

  /// - Parameter afterSilence: puts a lone zero byte first, so that whatever noise the line has
  ///   gathered ends there.
  public init(_ body: FrameBody, afterSilence: Bool = false) {
    var body = body
    body.isAfterSilence = body.isAfterSilence || afterSilence
    count = body.withWireBytes { wire in
      withUnsafeMutableBytes(of: &bytes) { $0.copyMemory(from: wire) }
      return wire.count
    }
  }

  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    bytes.span.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[0..<count])) }
  }
}
