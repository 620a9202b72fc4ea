import CProcessor
import TestSupport
import Testing

struct SixteenBytesTests {
  @Test func `each of 16 bytes that equals the byte, or is less than the limit, has its bit`() {
    var random = SeededGenerator(seed: 3)
    for _ in 0..<2_000 {
      let bytes = (0..<17).map { _ in UInt8(truncatingIfNeeded: random.next() >> 3) }
      let start = Int.random(in: 0...1, using: &random)
      let wanted = Bool.random(using: &random) ? bytes[start + 5] : 0x24
      let limit = Int8(truncatingIfNeeded: random.next())
      let slice = bytes[start..<start + 16]
      slice.withUnsafeBytes {
        #expect(processor_equal16($0.baseAddress!, wanted) == bits(slice) { $0 == wanted })
        #expect(
          processor_less16($0.baseAddress!, limit)
            == bits(slice) { Int8(bitPattern: $0) < limit })
      }
    }
  }

  private func bits(_ bytes: ArraySlice<UInt8>, where holds: (UInt8) -> Bool) -> UInt32 {
    bytes.reversed().reduce(0) { $0 << 1 | (holds($1) ? 1 : 0) }
  }
}
