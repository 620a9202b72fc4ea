import FobBase
import SystemCrypto
import Testing

struct PassphraseSealTests {
  private static let passphrase = Array("twelve words or more".utf8)
  private static let plain = Array(
    "fob keys 1\n8000000000000001 0706050403020100 0f0e0d0c0b0a0908\n".utf8)
  /// By Python: hashlib.scrypt, and AESGCM of the package cryptography.
  private static let sealed =
    "c99fb7701033adfac1d505b39f055e7d0f0a8b2dbb49787c7897abab1e8fd76a522e99a5b5ff66484e79d92569c1"
    + "bafc6e3ee06bc5a88226e6dcb7378d5a77fcafe8e7d30977153171acabf62aef"

  @Test func `what another program has sealed is opened`() throws {
    let sealed = try #require(Hex.bytes(Self.sealed))
    let seal = try #require(
      PassphraseSeal(salt: Array(0..<16), nonce: Array(100..<112), sealed: sealed))
    #expect(seal.open(by: Self.passphrase) == Self.plain)
  }

  @Test func `it is opened by its passphrase alone, and as it was sealed alone`() {
    let seal = PassphraseSeal(Self.plain, by: Self.passphrase)
    #expect(seal.open(by: Self.passphrase) == Self.plain)
    #expect(seal.open(by: Self.passphrase.dropLast()) == nil)
    #expect(seal.open(by: []) == nil)
    for part in [\PassphraseSeal.salt, \.nonce, \.sealed] {
      for byte in [0, seal[keyPath: part].count - 1] {
        var changed = seal
        changed[keyPath: part][byte] ^= 1
        #expect(changed.open(by: Self.passphrase) == nil)
      }
    }
  }

  @Test func `the same bytes are never sealed twice in the same way`() {
    let first = PassphraseSeal(Self.plain, by: Self.passphrase)
    let second = PassphraseSeal(Self.plain, by: Self.passphrase)
    #expect(first.salt != second.salt && first.nonce != second.nonce)
    #expect(first.sealed.count == Self.plain.count + 16 && first.sealed != second.sealed)
  }

  @Test func `nothing has a seal, too, and parts of another length are none`() {
    #expect(PassphraseSeal([], by: Self.passphrase).open(by: Self.passphrase) == [])
    #expect(PassphraseSeal(salt: [1], nonce: Array(0..<12), sealed: Array(0..<16)) == nil)
    #expect(PassphraseSeal(salt: Array(0..<16), nonce: [], sealed: Array(0..<16)) == nil)
    #expect(PassphraseSeal(salt: Array(0..<16), nonce: Array(0..<12), sealed: [1]) == nil)
  }
}
