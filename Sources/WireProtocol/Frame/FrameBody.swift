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

  /// Begins a body: head, type and sequence. The payload is appended next.
  public init(type: MessageType, sequence: UInt16, resent: Bool = false) {
    begin(type, sequence: sequence, resent: resent)
  }

  mutating func begin(_ type: MessageType, sequence: UInt16, resent: Bool) {
    append(FrameHead(resent: resent).rawValue)
    append(type.rawValue)
    append(sequence)
  }

  /// A body of any bytes, at most 249, for tests and captures.
  public init(raw: UnsafeRawBufferPointer) {
    precondition(raw.count <= Limits.maxFrameSize - 4)
    append(raw)
  }

  /// An empty body: for `DeviceLink.begin`, or for bytes that are stored and not sent.
  @inline(never)
  public init() {}

  /// The message, of a body that was begun.
  var rawType: UInt8 { bytes[Self.bodyAt + 1] }

  /// Sets the bit SEALED of the head.
  mutating func markSealed() { bytes[Self.bodyAt] |= FrameHead.sealedBit }

  /// Bytes appended so far; head, type and sequence are the first four.
  public var count: Int { end - Self.bodyAt }

  /// Bytes that the payload can still take.
  public var room: Int { Limits.maxFrameSize - 4 - count }

  /// Appends an integer in little endian. Traps where 253 bytes would be exceeded.
  public mutating func append<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
    #if hasFeature(Embedded)
      let little = value.littleEndian
      withUnsafeBytes(of: little) { append($0) }
    #else
      precondition(MemoryLayout<T>.size <= Limits.maxFrameSize - count)
      let place = end
      withUnsafeMutableBytes(of: &bytes) {
        $0.storeBytes(of: value.littleEndian, toByteOffset: place, as: T.self)
      }
      end &+= MemoryLayout<T>.size
    #endif
  }

  /// Appends bytes as they are. Traps where 253 bytes would be exceeded.
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

  /// Reads the bytes appended so far.
  public func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
    bytes.span.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[Self.bodyAt..<end])) }
  }

  /// Turns the body into the frame for the wire and hands it to `read`: COBS (Cheshire and Baker
  /// 1999) of body and CRC-32C, closed by a zero byte. The frame takes the place of the body, which
  /// is gone then.
  public mutating func withWireBytes<R>(_ read: (UnsafeRawBufferPointer) -> R) -> R {
    let frame = close()
    return withUnsafeMutableBytes(of: &bytes) {
      read(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer($0)[frame]))
    }
  }

  /// Turns the body into its frame, in its place.
  /// - Returns: where the frame stands in `bytes`.
  mutating func close() -> Range<Int> {
    appendChecksum()
    stuff()
    return (isAfterSilence ? 0 : 1)..<end + 1
  }

  func withStorage<R>(_ read: (UnsafeRawBufferPointer) -> R) -> R {
    bytes.span.withUnsafeBytes(read)
  }

  /// CRC-32C of the bytes appended so far.
  public var checksum: UInt32 { mutating get { withBytesInPlace { CRC32C.of($0) } } }

  /// Appends the CRC-32C of the bytes so far, in little endian.
  public mutating func appendChecksum() { append(checksum) }

  /// Reads the bytes appended so far without a copy. It is mutating because only then the bytes are
  /// read where they stand: a copy of them is a third of what the keychain's stack may hold.
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
    /// The zeros of 64 bytes are looked up at once, as bits.
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
