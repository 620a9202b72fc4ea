import TestSupport
import Testing
import WireProtocol

/// BLAKE2s with a digest of 32 bytes (RFC 7693).
struct BLAKE2sTests {
  private func hash(_ message: [UInt8]) -> [UInt8] {
    var hash = BLAKE2s()
    message.withUnsafeBytes { hash.update($0) }
    return bytes(hash.finish())
  }

  private func bytes(_ digest: InlineArray<8, UInt32>) -> [UInt8] {
    digest.indices.flatMap { word in (0..<4).map { UInt8(digest[word] >> (8 * $0) & 0xFF) } }
  }

  private func tag(_ message: [UInt8], key: [UInt8], person: String) -> UInt64 {
    let number = person.utf8.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let key = key.withUnsafeBytes { SealKey(key: $0, person: number) }
    return key.tag { hash in message.withUnsafeBytes { hash.update($0) } }
  }

  @Test func `three letters have the digest of appendix B`() {
    #expect(
      hash(Array("abc".utf8)).hex
        == "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982")
  }

  /// The sequence of RFC 7693, appendix E.
  private func sequence(_ count: Int, seed: UInt32) -> [UInt8] {
    var a = 0xDEAD_4BAD &* seed
    var b: UInt32 = 1
    return (0..<count).map { _ in
      let sum = a &+ b
      (a, b) = (b, sum)
      return UInt8(sum >> 24)
    }
  }

  @Test func `messages of the lengths of appendix E have the digests of hashlib`() {
    var all = BLAKE2s()
    func add(_ digest: [UInt8]) { digest.withUnsafeBytes { all.update($0) } }
    for count in [0, 3, 64, 65, 255, 1_024] {
      let message = sequence(count, seed: UInt32(count))
      add(hash(message))
    }
    #expect(
      bytes(all.finish()).hex == "7c23dc21fe153229b4b6eb325499e60fbc1b4889893882f3852b5b06d2048a4e")
  }

  @Test(arguments: [
    (16, 1, "fob-pair", 0xBCB4_B1CD_C586_7935),
    (16, 63, "fob-sess", 0x24BE_68FC_5714_8C65),
    (16, 64, "fob-evnt", 0x2ADC_591D_471C_D1B0),
    (16, 65, "fob-evnt", 0xAA33_1624_3170_5A6C),
    (32, 24, "fob-prov", 0xC3FC_0590_C1C1_E3BA),
    (32, 127, "fob-host", 0xF07F_CE6B_50B8_1D92),
    (32, 128, "fob-devi", 0x640D_A6FE_B12D_2885),
    (32, 243, "fob-devi", 0x3B09_03FE_FEA0_7A95),
    (1, 200, "12345678", 0x6589_2724_8DA4_20B8),
  ])
  func `a tag is what hashlib says`(_ size: Int, _ length: Int, _ person: String, _ tag: UInt64) {
    let key = (0..<size).map { UInt8($0) }
    let message = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7) }
    #expect(self.tag(message, key: key, person: person) == tag)
  }

  @Test func `however a message is cut, its digest is the same`() {
    var random = SeededGenerator(seed: 25)
    for _ in 0..<300 {
      let count = Int.random(in: 1...400, using: &random)
      let message = [UInt8].random(count, zeros: 0.1, using: &random)
      var hash = BLAKE2s()
      for piece in message.chunks(upTo: 70, using: &random) {
        piece.withUnsafeBytes { hash.update($0) }
      }
      #expect(bytes(hash.finish()) == self.hash(message))
    }
  }
}
