import TestSupport

/// Makes images like those of `make firmware`, but for the code.
enum HexWriter {
  /// The text of a keychain's image.
  /// - Parameter board: nil for firmware that is no keychain's.
  static func image(
    board: String? = "microbit", build: String = "0.1.0", stack: UInt32 = 0x2000_2000,
    reset: UInt32 = 0x301
  ) -> String {
    var flash = [UInt8](repeating: 0xFF, count: 0x400)
    for (place, word) in [stack, reset].enumerated() {
      withUnsafeBytes(of: word.littleEndian) {
        flash.replaceSubrange(place * 4..<place * 4 + 4, with: $0)
      }
    }
    if let board { put("fob board \(board)\0", at: 0xC0, in: &flash) }
    put("fob keychain\0\(build)\0", at: 0x211, in: &flash)
    return file(flash)
  }

  /// Intel HEX, sixteen bytes a line.
  static func file(_ flash: [UInt8]) -> String {
    let lines = stride(from: 0, to: flash.count, by: 16).map { start in
      record(0, UInt16(start), Array(flash[start..<min(start + 16, flash.count)]))
    }
    return ([record(4, 0, [0, 0])] + lines + [record(1, 0, [])]).joined(separator: "\n") + "\n"
  }

  static func record(_ type: UInt8, _ address: UInt16, _ data: [UInt8]) -> String {
    var bytes = [UInt8(data.count), UInt8(address >> 8), UInt8(address & 0xFF), type] + data
    bytes.append(0 &- bytes.reduce(0, &+))
    return ":"
      + bytes.map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
      }.joined()
  }

  private static func put(_ text: String, at start: Int, in flash: inout [UInt8]) {
    for (offset, byte) in text.utf8.enumerated() { flash[start + offset] = byte }
  }
}
