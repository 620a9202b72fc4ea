import FobBase

/// A frame before it is stuffed: `u8 head | u8 type | u16 seq | payload`, built in place. It
/// becomes the frame on the wire where it stands, so that a processor without memory to spare needs
/// one buffer and no copy.
public struct FrameBody: Sendable {
  /// Two bytes lie before the body, the lone zero and the first code of COBS, and one behind it.
  private var bytes = InlineArray<256, UInt8>(repeating: 0)
  /// Where the next byte goes.
  private var end = Self.bodyAt
  /// The link was silent before this frame: a lone zero goes first.
  var isAfterSilence = false

  private static let bodyAt = 2

  public init(type: MessageType, sequence: UInt16, resent: Bool = false) {
    begin(type, sequence: sequence, resent: resent)
  }

  mutating func begin(_ type: MessageType, sequence: UInt16, resent: Bool) {
    append(FrameHead(resent: resent).rawValue)
    append(type.rawValue)
    append(sequence)
  }

  /// A body of any bytes, for tests and captures. At most 249.
  public init(raw: UnsafeRawBufferPointer) {
    precondition(raw.count <= Limits.maxFrameSize - 4)
    append(raw)
  }

  /// Nothing yet: for `DeviceLink.begin`, or for bytes that are to be stored and not sent.
  @inline(never)
  public init() {}

  public var count: Int { end - Self.bodyAt }

  /// What the payload may still take, in bytes.
  public var room: Int { Limits.maxFrameSize - 4 - count }

  public mutating func append<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
    let little = value.littleEndian
    withUnsafeBytes(of: little) { append($0) }
  }

  @inline(never)
  public mutating func append(_ raw: UnsafeRawBufferPointer) {
    precondition(raw.count <= Limits.maxFrameSize - count)
    #if hasFeature(Embedded)
      for byte in raw {
        bytes[end] = byte
        end &+= 1
      }
    #else
      let room = end...
      withUnsafeMutableBytes(of: &bytes) {
        UnsafeMutableRawBufferPointer(rebasing: $0[room]).copyMemory(from: raw)
      }
      end &+= raw.count
    #endif
  }

  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    bytes.span.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[Self.bodyAt..<end])) }
  }

  /// The frame as it goes over the wire: COBS (Cheshire and Baker 1999) of body and CRC-32C, closed
  /// by a zero byte. `read` sees it where the body stood, which is gone then.
  public mutating func withWireBytes<R>(_ read: (UnsafeRawBufferPointer) -> R) -> R {
    let frame = close()
    return withUnsafeMutableBytes(of: &bytes) {
      read(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[frame]))
    }
  }

  /// Makes the frame of the body, in its place, and says where that is.
  mutating func close() -> Range<Int> {
    appendChecksum()
    stuff()
    return (isAfterSilence ? 0 : 1)..<end + 1
  }

  func withStorage<R>(_ read: (UnsafeRawBufferPointer) -> R) -> R {
    bytes.span.withUnsafeBytes(read)
  }

  /// Of all that the body holds by now: CRC-32C.
  public var checksum: UInt32 { mutating get { withBytesInPlace { CRC32C.of($0) } } }

  public mutating func appendChecksum() { append(checksum) }

  /// As `withBytes`. Mutating, since only then the bytes are read where they stand: a copy of them
  /// is a third of what the keychain's stack may hold.
  public mutating func withBytesInPlace<R>(_ read: (UnsafeRawBufferPointer) -> R) -> R {
    let body = Self.bodyAt..<end
    return withUnsafeMutableBytes(of: &bytes) {
      read(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[body]))
    }
  }

  #if hasFeature(Embedded)
    /// Each zero becomes the distance to the next. A frame is too short for a block without one.
    @inline(never)
    private mutating func stuff() {
      var codeAt = Self.bodyAt - 1
      for at in Self.bodyAt...end where at == end || bytes[at] == 0 {
        bytes[codeAt] = UInt8(truncatingIfNeeded: at &- codeAt)
        codeAt = at
      }
      bytes[end] = 0
    }
  #else
    /// Each zero becomes the distance to the next. A frame is too short for a block without one.
    /// The zeros are looked up for 64 bytes at once, then gone over by their bits.
    private mutating func stuff() {
      var codeAt = Self.bodyAt - 1
      let end = end
      withUnsafeMutableBytes(of: &bytes) { bytes in
        // swift-format-ignore: NeverForceUnwrap
        let place = bytes.baseAddress!
        var start = 0
        // The delimiter is the last zero.
        bytes[end] = 0
        repeat {
          var zeros = ZeroBytes.among64(place + start)
          if start == 0 { zeros &= UInt64.max &<< UInt64(Self.bodyAt) }
          if end &- start < 64 { zeros &= (2 &<< UInt64(truncatingIfNeeded: end &- start)) &- 1 }
          while zeros != 0 {
            let at = start &+ zeros.trailingZeroBitCount
            place.storeBytes(
              of: UInt8(truncatingIfNeeded: at &- codeAt), toByteOffset: codeAt, as: UInt8.self)
            codeAt = at
            zeros &= zeros &- 1
          }
          start &+= 64
        } while start <= end
      }
    }
  #endif
}
