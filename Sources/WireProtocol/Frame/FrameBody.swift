import FobBase

/// A frame before it is stuffed: `u8 head | u8 type | u16 seq | payload`, built in place.
public struct FrameBody: Sendable {
  var bytes = InlineArray<256, UInt8>(repeating: 0)
  public private(set) var count = 0

  public init(type: MessageType, sequence: UInt16, resent: Bool = false) {
    append(FrameHead(resent: resent).rawValue)
    append(type.rawValue)
    append(sequence)
  }

  /// A body of any bytes, for tests and captures. At most 249.
  public init(raw: UnsafeRawBufferPointer) {
    precondition(raw.count <= Limits.longestFrame - 4)
    append(raw)
  }

  /// What the payload may still take, in bytes.
  public var room: Int { Limits.longestFrame - 4 - count }

  public mutating func append<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
    let little = value.littleEndian
    withUnsafeBytes(of: little) { append($0) }
  }

  public mutating func append(_ raw: UnsafeRawBufferPointer) {
    precondition(raw.count <= Limits.longestFrame - count)
    for i in 0..<raw.count { bytes[count + i] = raw[i] }
    count += raw.count
  }

  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    bytes.span.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[0..<count])) }
  }
}
