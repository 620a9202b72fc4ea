/// Reads little-endian fields one after another. The caller has checked the length.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var at: Int

  init(_ bytes: UnsafeRawBufferPointer, from offset: Int = 0) {
    self.bytes = bytes
    at = offset
  }

  mutating func next<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type = T.self) -> T {
    let value = bytes.loadUnaligned(fromByteOffset: at, as: T.self)
    at += MemoryLayout<T>.size
    return T(littleEndian: value)
  }
}
