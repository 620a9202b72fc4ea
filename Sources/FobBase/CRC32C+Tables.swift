extension CRC32C {
  #if hasFeature(Embedded)
    /// Half a byte at a time: 64 bytes of table, for a processor whose flash is short.
    static func updateByTable(_ start: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
      var crc = start
      for byte in bytes {
        crc ^= UInt32(byte)
        crc = crc >> 4 ^ nibbles[Int(crc & 15)]
        crc = crc >> 4 ^ nibbles[Int(crc & 15)]
      }
      return crc
    }

    private static let nibbles: InlineArray<16, UInt32> = [
      0x0000_0000, 0x105E_C76F, 0x20BD_8EDE, 0x30E3_49B1, 0x417B_1DBC, 0x5125_DAD3, 0x61C6_9362,
      0x7198_540D, 0x82F6_3B78, 0x92A8_FC17, 0xA24B_B5A6, 0xB215_72C9, 0xC38D_26C4, 0xD3D3_E1AB,
      0xE330_A81A, 0xF36E_6F75,
    ]
  #else
    /// Eight bytes at a time (slicing-by-8, Kounavis and Berry 2008).
    package static func updateByTable(_ start: UInt32, _ bytes: UnsafeRawBufferPointer) -> UInt32 {
      var crc = start
      var at = 0
      tables.withUnsafeBufferPointer { t in
        while bytes.count - at >= 8 {
          let word = UInt64(
            littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
          let x = word ^ UInt64(crc)
          crc = t[0x700 + Int(x & 0xFF)] ^ t[0x600 + Int(x >> 8 & 0xFF)]
          crc ^= t[0x500 + Int(x >> 16 & 0xFF)] ^ t[0x400 + Int(x >> 24 & 0xFF)]
          crc ^= t[0x300 + Int(x >> 32 & 0xFF)] ^ t[0x200 + Int(x >> 40 & 0xFF)]
          crc ^= t[0x100 + Int(x >> 48 & 0xFF)] ^ t[Int(x >> 56)]
          at += 8
        }
        while at < bytes.count {
          crc = crc >> 8 ^ t[Int(UInt8(truncatingIfNeeded: crc) ^ bytes[at])]
          at += 1
        }
      }
      return crc
    }

    private static let tables: [UInt32] = {
      var t = [UInt32](repeating: 0, count: 8 * 256)
      for i in 0..<256 {
        var crc = UInt32(i)
        for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0x82F6_3B78 : 0) }
        t[i] = crc
      }
      for i in 256..<t.count { t[i] = t[i - 256] >> 8 ^ t[Int(t[i - 256] & 0xFF)] }
      return t
    }()
  #endif
}
