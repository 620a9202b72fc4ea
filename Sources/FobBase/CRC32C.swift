#if !hasFeature(Embedded)
  import CProcessor
#endif

/// CRC-32C (Castagnoli): reflected polynomial 0x82F63B78, initial value and final XOR FFFFFFFF
/// (RFC 3720, appendix B.4). `CRC32C.of("123456789")` is E3069283.
///
/// A host uses the processor's instruction where there is one, else a table of 8 KiB. The keychain
/// uses a table of 64 bytes.
public struct CRC32C {
  private var rest: UInt32 = 0xFFFF_FFFF

  /// The CRC of no bytes.
  public init() {}

  /// CRC of all bytes that were added.
  public var value: UInt32 { ~rest }

  /// Adds bytes behind those that were added before.
  public mutating func add(_ bytes: UnsafeRawBufferPointer) {
    #if !hasFeature(Embedded)
      if processor_has_crc32c() {
        rest = processor_crc32c(rest, bytes.baseAddress, bytes.count)
        return
      }
    #endif
    rest = Self.updateByTable(rest, bytes)
  }

  /// Adds the bytes of an integer in little endian.
  public mutating func add<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
    withUnsafeBytes(of: value.littleEndian) { add($0) }
  }

  /// CRC of these bytes alone.
  public static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var crc = CRC32C()
    crc.add(bytes)
    return crc.value
  }
}
