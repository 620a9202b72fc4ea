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
    let crc = body.withBytes { CRC32C.of($0) }
    body.append(crc)
    if afterSilence { count = 1 }
    var codeAt = count
    count += 1
    for i in 0..<body.count {
      let byte = body.bytes[i]
      if byte == 0 {
        bytes[codeAt] = UInt8(count - codeAt)
        codeAt = count
      } else {
        bytes[count] = byte
      }
      count += 1
    }
    bytes[codeAt] = UInt8(count - codeAt)
    count += 1
  }

  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    bytes.span.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[0..<count])) }
  }
}
