import WireProtocol

@testable import Firmware

/// Non-volatile memory that can fail, and whose power can go in the middle of a write.
struct BenchStore {
  static let blank: UInt8 = 0xFF

  private(set) var bytes = [UInt8](repeating: BenchStore.blank, count: EventStore.size)
  var failsWrites = false
  var failsReads = false
  /// Bytes that may still be written before the power goes; nil while it stays.
  var powerLeft: Int?
  private(set) var isPowerGone = false
  /// All that was written with power on, in bytes.
  private(set) var written = 0

  mutating func restorePower() {
    isPowerGone = false
    powerLeft = nil
  }

  mutating func erase() {
    bytes = [UInt8](repeating: BenchStore.blank, count: EventStore.size)
  }

  mutating func provision(_ key: PairingKey) -> Bool {
    bytes.withUnsafeMutableBytes { Keychain.provision($0, with: key) }
  }

  mutating func overwrite(_ range: Range<Int>, with byte: UInt8) {
    for at in range { bytes[at] = byte }
  }

  func read(at offset: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    guard !failsReads else { return false }
    buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
    return true
  }

  mutating func write(at offset: Int, _ source: UnsafeRawBufferPointer) -> Bool {
    guard !failsWrites else { return false }
    for (at, byte) in source.enumerated() {
      if powerLeft == 0 { isPowerGone = true }
      guard !isPowerGone else { return false }
      if let left = powerLeft { powerLeft = left - 1 }
      bytes[offset + at] = byte
      written += 1
    }
    return true
  }
}
