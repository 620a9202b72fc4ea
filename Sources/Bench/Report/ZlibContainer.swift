/// The container of RFC 1950 with DEFLATE's stored blocks (RFC 1951, 3.2.4): every reader of zlib
/// takes it, and it needs no compressor. A histogram has a few kilobytes, as run lengths already.
enum ZlibContainer {
  private static let maxBlockSize = 65_535

  static func stored(_ bytes: [UInt8]) -> [UInt8] {
    // Deflate with a window of 32 KiB; the second byte makes the pair a multiple of 31.
    var container: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(maxBlockSize)
      rest = rest.dropFirst(block.count)
      let length = UInt16(block.count)
      container.append(rest.isEmpty ? 1 : 0)
      container += [UInt8(length & 0xFF), UInt8(length >> 8)]
      container += [UInt8(~length & 0xFF), UInt8(~length >> 8)]
      container += block
    } while !rest.isEmpty
    let sum = adler32(bytes)
    return container + [24, 16, 8, 0].map { UInt8(sum >> $0 & 0xFF) }
  }

  static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }
}
