import FobBase
import Foundation
import WireProtocol

/// Presses that lie in a keychain's store: slots of 68 bytes from 64 on, sealed by their CRC.
enum StoredPresses {
  static func read(_ path: String) throws -> [String] {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    return stride(from: 64, to: min(bytes.count, 64 + 65 * 68) - 67, by: 68).compactMap { at in
      bytes[at..<at + 68].withUnsafeBytes { slot in
        let body = UnsafeRawBufferPointer(rebasing: slot[0..<64])
        let crc = UInt32(littleEndian: slot.loadUnaligned(fromByteOffset: 64, as: UInt32.self))
        guard CRC32C.of(body) == crc, let record = EventRecord(body),
          record.identity.kind == .pressed
        else { return nil }
        return record.identity.number.text
      }
    }
  }
}
