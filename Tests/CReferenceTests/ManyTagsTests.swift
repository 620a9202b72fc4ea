import CProtocolReference
import Glibc
import TestSupport
import Testing

@testable import WireProtocol

/// One sum over the tags of many inputs, in Swift and in C; `scripts/tag-sum.py` makes the same one
/// by Python's hashlib.
struct ManyTagsTests {
  private static let blocks = 10
  private static let count = Soak.isOn ? 10_000_000 : 2_000
  private static let persons = ["fob-pair", "fob-prov", "fob-host", "fob-devi", "fob-evnt"]

  @Test func `Swift, C and hashlib make the same tags of many inputs`() async {
    let size = Self.count / Self.blocks
    let sums = await withTaskGroup(of: (swift: UInt64, c: UInt64).self) { group in
      for block in 0..<Self.blocks {
        group.addTask { Self.sums(block * size..<(block + 1) * size) }
      }
      return await group.reduce(into: (swift: UInt64(0), c: UInt64(0))) {
        $0 = ($0.swift &+ $1.swift, $0.c &+ $1.c)
      }
    }
    #expect(sums.swift == sums.c)
    if !Soak.isOn { #expect(sums.swift == 10_947_267_674_817_678_878) }
    if let text = getenv("FOB_TAG_SUM") { #expect(String(cString: text) == "\(sums.swift)") }
    print("sum of \(Self.count) tags: \(sums.swift)")
  }

  private static func sums(_ range: Range<Int>) -> (swift: UInt64, c: UInt64) {
    var sums = (swift: UInt64(0), c: UInt64(0))
    for i in range {
      let word = UInt64(i)
      var key = withUnsafeBytes(of: ((word &+ 1) &* 0x9E37_79B9_7F4A_7C15).littleEndian) {
        Array($0)
      }
      withUnsafeBytes(of: word.littleEndian) { key += $0 }
      let message = (0..<1 + i % 200).map { key[$0 & 15] }
      let factor = 2 &* word &+ 1
      sums.swift &+= tagInSwift(message, key, persons[i % 5]) &* factor
      sums.c &+= tagInC(message, key, persons[i % 5]) &* factor
    }
    return sums
  }

  private static func tagInSwift(_ message: [UInt8], _ key: [UInt8], _ person: String) -> UInt64 {
    let number = person.utf8.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return key.withUnsafeBytes { SealKey(key: $0, person: number) }.tag { hash in
      message.withUnsafeBytes { hash.update($0) }
    }
  }

  private static func tagInC(_ message: [UInt8], _ key: [UInt8], _ person: String) -> UInt64 {
    var prepared = fob_blake2s_key()
    var hash = fob_blake2s()
    fob_blake2s_prepare(&prepared, key, key.count, person)
    fob_blake2s_begin(&hash, &prepared)
    fob_blake2s_add(&hash, message, message.count)
    return fob_blake2s_tag(&hash)
  }
}
