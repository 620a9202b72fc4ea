import FobBase

/// Frames that `WireFrame` would not make: too long, or with a wrong CRC.
enum COBS {
  /// Without a delimiter.
  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    bytes.split(separator: 0, omittingEmptySubsequences: false).flatMap { piece in
      [UInt8(truncatingIfNeeded: min(piece.count + 1, 255))] + piece
    }
  }

  /// A body with its CRC.
  static func sealed(_ body: [UInt8]) -> [UInt8] {
    let crc = body.withUnsafeBytes { CRC32C.of($0) }
    return body + (0..<4).map { UInt8(truncatingIfNeeded: crc >> UInt32(8 * $0)) }
  }
}
