import SystemCrypto
import Testing

/// By the samples that their standards give.
struct DigestTests {
  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
  }

  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
  ])
  func `SHA-256 is that of FIPS 180-4`(text: String, digest: String) {
    #expect(Self.hex(Digests.sha256(Array(text.utf8))) == digest)
  }

  /// RFC 4231, 4.2, 4.3 and 4.7.
  @Test(arguments: [
    (
      [UInt8](repeating: 0x0B, count: 20), "Hi There",
      "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    ),
    (
      Array("Jefe".utf8), "what do ya want for nothing?",
      "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    ),
    (
      [UInt8](repeating: 0xAA, count: 131),
      "Test Using Larger Than Block-Size Key - Hash Key First",
      "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
    ),
  ])
  func `HMAC-SHA256 is that of RFC 2104`(key: [UInt8], text: String, code: String) {
    #expect(Self.hex(Digests.hmac(Array(text.utf8), key: key)) == code)
  }

  @Test func `an empty key and an empty text have a code, too`() {
    let code = "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"
    #expect(Self.hex(Digests.hmac([], key: [])) == code)
  }

  @Test func `bytes are the same or not, whatever their length`() {
    #expect(Digests.isSame([], []))
    #expect(Digests.isSame([1, 2], [1, 2]))
    #expect(!Digests.isSame([1, 2], [1, 3]))
    #expect(!Digests.isSame([1, 2], [1, 2, 0]))
  }

  @Test func `random bytes are never the same`() {
    #expect(Digests.random(0) == [])
    #expect(Set((0..<100).map { _ in Digests.random(32) }).count == 100)
  }
}
