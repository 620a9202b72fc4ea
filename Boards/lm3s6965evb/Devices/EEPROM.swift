/// The 24C64 at 0x50: 8 KiB, an address of two bytes, pages of 32 bytes.
///
/// ```
/// 0     the event store (Firmware/EventStore.swift)
/// 8160  u32: boots of this board, for the boot nonce
/// 8176  u32: serial number, 0 or FFFFFFFF where none was given
/// ```
enum EEPROM {
  static let bootsAt = 8_160
  static let serialAt = 8_176
  private static let size = 8_192
  private static let page = 32
  private static let device: UInt32 = 0x50

  static func read(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard offset >= 0, offset + buffer.count <= size, select(offset) else { return false }
    return I2CBus.read(device, buffer)
  }

  /// True when the device has written all of it: it answers again.
  static func write(at offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard offset >= 0, offset + bytes.count <= size else { return false }
    var done = 0
    while done < bytes.count {
      let at = offset + done
      let count = min(bytes.count - done, page - at % page)
      let run = UnsafeRawBufferPointer(rebasing: bytes[done..<done + count])
      guard I2CBus.write(device, inside: UInt32(at), head: 2, run), select(at) else {
        return false
      }
      done += count
    }
    return true
  }

  static func word(at offset: Int) -> UInt32? {
    var word: UInt32 = 0
    return withUnsafeMutableBytes(of: &word) { read(at: offset, $0) } ? word : nil
  }

  /// Waits while a page is being written, at most 5 ms by the data sheet: until then the device
  /// answers to nothing.
  private static func select(_ offset: Int) -> Bool {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    for _ in 0..<100 {
      if I2CBus.write(device, inside: UInt32(offset), head: 2, nothing) { return true }
    }
    return false
  }
}
