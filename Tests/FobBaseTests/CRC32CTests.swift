import CProcessor
import FobBase
import TestSupport
import Testing

struct CRC32CTests {
  /// The check value of the catalogue, and RFC 3720, appendix B.4.
  static let known: [(bytes: [UInt8], crc: UInt32)] = [
    (Array("123456789".utf8), 0xE306_9283),
    ([UInt8](repeating: 0, count: 32), 0x8A91_36AA),
    ([UInt8](repeating: 0xFF, count: 32), 0x62A8_AB43),
    (Array(0..<32), 0x46DD_794E),
    (Array((0..<32).reversed()), 0x113F_DB5C),
    ([0], 0x527D_5351),
  ]

  @Test(arguments: known)
  func `known answers`(_ bytes: [UInt8], _ crc: UInt32) {
    #expect(bytes.withUnsafeBytes { CRC32C.of($0) } == crc)
  }

  @Test func `the CRC of nothing is zero`() {
    #expect(CRC32C.of(UnsafeRawBufferPointer(start: nil, count: 0)) == 0)
  }

  @Test func `instruction and table agree with one bit at a time at every length and alignment`() {
    var random = SeededGenerator(seed: 1)
    let bytes = (0..<300).map { _ in UInt8.random(in: 0...255, using: &random) }
    for start in 0..<9 {
      for length in Array(0..<40) + [245, 249, 253, 291] {
        let slice = bytes[start..<start + length]
        let expected = bitwise(slice)
        #expect(slice.withUnsafeBytes { CRC32C.of($0) } == expected)
        #expect(slice.withUnsafeBytes { ~CRC32C.updateByTable(~0, $0) } == expected)
        guard processor_has_crc32c() else { continue }
        #expect(
          slice.withUnsafeBytes { ~processor_crc32c(~0, $0.baseAddress, $0.count) } == expected)
      }
    }
  }

  @Test func `a word in a register counts as its bytes do`() {
    guard processor_has_crc32c() else { return }
    var random = SeededGenerator(seed: 2)
    for _ in 0..<1_000 {
      let word = random.next()
      let start = UInt32(truncatingIfNeeded: random.next())
      let expected = withUnsafeBytes(of: word.littleEndian) { CRC32C.updateByTable(start, $0) }
      #expect(processor_crc32c_word(start, word) == expected)
    }
  }

  private func bitwise(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0x82F6_3B78 : 0) }
    }
    return ~crc
  }
}
