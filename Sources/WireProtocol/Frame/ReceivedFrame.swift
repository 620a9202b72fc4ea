/// A whole frame as it was received, its payload still in the decoder's buffer.
struct ReceivedFrame {
  let head: FrameHead
  let rawType: UInt8
  let sequence: UInt16
  /// Without what seals it.
  let payload: UnsafeRawBufferPointer
  /// All of it, from the head on.
  let body: UnsafeRawBufferPointer
  /// - Parameter body: at least four bytes, as the decoder guarantees.
  init(_ body: UnsafeRawBufferPointer) {
    var r = ByteReader(body)
    head = FrameHead(rawValue: r.next())
    rawType = r.next()
    sequence = r.next()
    self.body = body
    let isSealed =
      head.isSealed && head.major == FrameHead.version && body.count >= 4 + SealTrailer.size
    payload = UnsafeRawBufferPointer(
      rebasing: body[4..<body.count - (isSealed ? SealTrailer.size : 0)])
  }

  /// What seals the frame; nil where nothing does. Whether it is by the right key is not said.
  var trailer: SealTrailer? {
    let at = 4 + payload.count
    guard at < body.count else { return nil }
    return SealTrailer(UnsafeRawBufferPointer(rebasing: body[at...]))
  }

  func refused(_ reason: Reject.Reason) -> Reject {
    Reject(type: rawType, reason: reason, sequence: sequence)
  }

  /// The identity of a press, which is read even where nothing else of the frame can be, what seals
  /// it neither; nil for any other frame.
  var frozenPress: EventIdentity? {
    isPress ? EventIdentity(UnsafeRawBufferPointer(rebasing: body[4...])) : nil
  }

  /// Whether there is a `frozenPress`, found out without reading it.
  var isPress: Bool {
    rawType == MessageType.event.rawValue && body.count >= 4 + EventIdentity.size
      && body[4 + EventIdentity.kindOffset] == EventKind.pressed.rawValue
  }

  /// The payload read as `P`, or the reason why it cannot be.
  func read<P: Payload>(_ type: P.Type) -> Read<P> {
    guard payload.count >= P.size else { return .refused(refused(.tooShort)) }
    guard let value = P(payload) else { return .refused(refused(.badValue)) }
    return .value(value)
  }

  enum Read<P: Payload> {
    case value(P)
    case refused(Reject)
  }
}

/// The first byte of a frame: major version in bits 7 to 4, SEALED in bit 3, RESENT in bit 2; bits
/// 1 and 0 must be 0.
public struct FrameHead: Equatable, Sendable {
  /// The byte on the wire.
  public let rawValue: UInt8

  /// Takes any byte: `major` and `hasReservedBits` say whether the frame can be read.
  public init(rawValue: UInt8) { self.rawValue = rawValue }
  /// The head of a frame that this version sends, not sealed yet.
  public init(resent: Bool) { rawValue = Self.version << 4 | (resent ? 4 : 0) }

  /// The major version that this software speaks.
  public static let version: UInt8 = 1

  /// Major version of the frame, 0 to 15.
  public var major: UInt8 { rawValue >> 4 }
  /// RESENT: the same event was sent before.
  public var isResent: Bool { rawValue & 4 != 0 }
  /// SEALED: a tag follows the payload.
  public var isSealed: Bool { rawValue & Self.sealedBit != 0 }
  static let sealedBit: UInt8 = 8
  /// A bit is set that must be 0: the frame is rejected, unless it is a press.
  public var hasReservedBits: Bool { rawValue & 0b0011 != 0 }
}

/// Reads little-endian fields one after another. The caller has checked the length.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var at = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func next<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type = T.self) -> T {
    let value = bytes.loadUnaligned(fromByteOffset: at, as: T.self)
    at += MemoryLayout<T>.size
    return T(littleEndian: value)
  }
}
